// Small checkers for JSON: each names a shape once, as a value and (through Infer) as a type.
// Strict: a field that the shape does not know is a problem too. Only the tests run them.

export type Check<T> = (value: unknown, at: string, problems: string[]) => value is T;
export type Infer<C> = C extends Check<infer T> ? T : never;

function check<T>(test: (value: unknown, at: string, problems: string[]) => void): Check<T> {
  return (value, at, problems): value is T => {
    const before = problems.length;
    test(value, at, problems);
    return problems.length === before;
  };
}

const kind = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

function primitive<T>(name: string): Check<T> {
  return check<T>((value, at, problems) => {
    if (kind(value) !== name) problems.push(`${at}: ${kind(value)} instead of ${name}`);
  });
}

export const str = primitive<string>('string');
export const num = primitive<number>('number');
export const bool = primitive<boolean>('boolean');

export function lit<const T extends readonly string[]>(...words: T): Check<T[number]> {
  return check<T[number]>((value, at, problems) => {
    if (!words.includes(value as string))
      problems.push(`${at}: ${JSON.stringify(value)} is none of ${words.join(', ')}`);
  });
}

export function nullable<T>(inner: Check<T>): Check<T | null> {
  return check<T | null>((value, at, problems) => {
    if (value !== null) inner(value, at, problems);
  });
}

export function arr<T>(inner: Check<T>): Check<T[]> {
  return check<T[]>((value, at, problems) => {
    if (!Array.isArray(value)) problems.push(`${at}: ${kind(value)} instead of array`);
    else value.forEach((item, i) => inner(item, `${at}[${i}]`, problems));
  });
}

export function dict<T>(inner: Check<T>): Check<Record<string, T>> {
  return check<Record<string, T>>((value, at, problems) => {
    if (kind(value) !== 'object') problems.push(`${at}: ${kind(value)} instead of object`);
    else for (const [key, item] of Object.entries(value as object)) inner(item, `${at}.${key}`, problems);
  });
}

type Optional<T> = Check<T> & { optional: true };
export function opt<T>(inner: Check<T>): Optional<T> {
  return Object.assign(check<T>(inner), { optional: true as const });
}

type Fields = Record<string, Check<unknown>>;
type OptionalKeys<F extends Fields> = {
  [K in keyof F]: F[K] extends { optional: true } ? K : never;
}[keyof F];
type Flat<T> = { [K in keyof T]: T[K] };
type ObjectOf<F extends Fields> = Flat<
  { [K in Exclude<keyof F, OptionalKeys<F>>]: Infer<F[K]> } & {
    [K in OptionalKeys<F>]?: Infer<F[K]>;
  }
>;

export function obj<F extends Fields>(fields: F): Check<ObjectOf<F>> {
  return check<ObjectOf<F>>((value, at, problems) => {
    if (kind(value) !== 'object') {
      problems.push(`${at}: ${kind(value)} instead of object`);
      return;
    }
    const record = value as Record<string, unknown>;
    for (const [key, inner] of Object.entries(fields)) {
      if (key in record) inner(record[key], `${at}.${key}`, problems);
      else if (!('optional' in inner)) problems.push(`${at}.${key}: missing`);
    }
    for (const key of Object.keys(record)) if (!(key in fields)) problems.push(`${at}.${key}: unknown field`);
  });
}

// One of several shapes; reports the problems of the closest.
export function either<A, B>(a: Check<A>, b: Check<B>): Check<A | B>;
export function either<A, B, C>(a: Check<A>, b: Check<B>, c: Check<C>): Check<A | B | C>;
export function either(...options: Check<unknown>[]): Check<unknown> {
  return check<unknown>((value, at, problems) => {
    let closest: string[] | null = null;
    for (const option of options) {
      const own: string[] = [];
      if (option(value, at, own)) return;
      if (!closest || own.length < closest.length) closest = own;
    }
    problems.push(...(closest ?? []));
  });
}

export function lazy<T>(inner: () => Check<T>): Check<T> {
  return check<T>((value, at, problems) => void inner()(value, at, problems));
}

// All problems of a value; empty if it has the shape.
export function problemsOf<T>(shape: Check<T>, value: unknown): string[] {
  const problems: string[] = [];
  shape(value, '$', problems);
  return problems;
}
