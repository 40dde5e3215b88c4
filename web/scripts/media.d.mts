export function breakpoints(css: string): Record<string, string>;
export function withBreakpoints(css: string, names: Record<string, string>, file: string): string;
