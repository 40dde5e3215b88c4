// Runs before the first paint, so that a chosen theme does not flash in late. Imports nothing.
try {
  const theme = localStorage.getItem('adjourn.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme;
} catch {
  // storage is forbidden: follow the system
}
