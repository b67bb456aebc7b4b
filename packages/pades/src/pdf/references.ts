import { PdfRef, PdfStream } from './objects.ts';
import type { PdfObject } from './objects.ts';

/** Tells every reference written inside a value, with the nearest key above it and all keys above it (`Resources/XObject/X1`). */
export function eachReference(value: PdfObject, visit: (num: number, key: string, path: string) => void, key = '', path = ''): void {
  if (value instanceof PdfRef) visit(value.num, key, path);
  else if (Array.isArray(value)) for (const item of value) eachReference(item, visit, key, path);
  else if (value instanceof Map) {
    for (const [name, item] of value) {
      if (typeof item === 'object' && item !== null) eachReference(item, visit, name, path === '' ? name : `${path}/${name}`);
    }
  } else if (value instanceof PdfStream) eachReference(value.dict, visit, key, path);
}

/** Tells every reference written inside a value. */
export function eachReferred(value: PdfObject, visit: (num: number) => void): void {
  if (value instanceof PdfRef) visit(value.num);
  else if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object') eachReferred(item, visit);
  } else if (value instanceof Map) {
    for (const item of value.values()) if (typeof item === 'object') eachReferred(item, visit);
  } else if (value instanceof PdfStream) eachReferred(value.dict, visit);
}
