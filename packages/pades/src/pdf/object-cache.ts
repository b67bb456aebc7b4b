import type { IndirectObject } from './parser.ts';

const maxObjects = 4096;
const maxBytes = 16 << 20;

/**
 * Objects as they were parsed, by where they stand. The states of a file agree on them: bytes are only ever appended, so an
 * object that was read without looking past a state's end is the same in that state.
 */
export class ObjectCache {
  private readonly objects = new Map<number, { found: IndirectObject; end: number }>();
  private bytes = 0;

  /** What stands at `offset` in a file of `size` bytes. */
  get(offset: number, size: number): IndirectObject | undefined {
    const known = this.objects.get(offset);
    // Beyond its last byte the parser looked for what might follow.
    return known !== undefined && known.end < size ? known.found : undefined;
  }

  /** `end`: how far the parser looked. What the end of a file cut short is not kept. */
  keep(offset: number, end: number, found: IndirectObject | null): void {
    if (found === null || found.ranOut) return;
    this.bytes += end - offset;
    if (this.objects.size >= maxObjects || this.bytes > maxBytes) {
      this.objects.clear();
      this.bytes = end - offset;
    }
    this.objects.set(offset, { found, end });
  }
}
