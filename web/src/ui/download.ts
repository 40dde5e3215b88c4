// Hands a file to the browser's downloads.
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  saveLink(name, url);
  setTimeout(() => URL.revokeObjectURL(url), 30_000);
}

// The same of one that has an address.
export function saveLink(name: string, url: string): void {
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = name;
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
}
