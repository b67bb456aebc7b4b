import { dict } from '../pdf/objects.ts';
import type { PdfDict, PdfObject } from '../pdf/objects.ts';
import type { Requirements } from '../pdf/requirements.ts';
import type { AppearanceGround } from './appearance.ts';
import { numbers, paintOf } from './paint.ts';

/** In points. */
const LINE = 0.5;
const RADIUS = 2;
/** Of a quarter of a circle, as a Bézier curve. */
const CURVE = 0.5523;

/** Ground and line as content, the state that lets the page shine through (`G0`), and the colour spaces that they name. */
export function drawGround(
  { opacity, line }: AppearanceGround,
  size: { width: number; height: number },
  { opaque, colours }: Pick<Requirements, 'opaque' | 'colours'>,
): { content: string; state: PdfDict | null; spaces: Record<string, PdfObject> } {
  const shines = opacity < 1 && !opaque;
  const fill = paintOf([1, 1, 1], colours, 'C1');
  const stroke = paintOf(line, colours, 'C2', true);
  const path = roundedPath(size);
  return {
    content: `q ${shines ? '/G0 gs ' : ''}${fill.operator}\n${path} f Q\n` + `q ${stroke.operator} ${numbers([LINE])} w\n${path} S Q\n`,
    state: shines ? dict({ ca: opacity }) : null,
    spaces: { ...(fill.space ? { C1: fill.space } : {}), ...(stroke.space ? { C2: stroke.space } : {}) },
  };
}

/** The box less half the line, so that no part of it is cut off. */
function roundedPath({ width, height }: { width: number; height: number }): string {
  const near = LINE / 2;
  const [right, top] = [width - near, height - near];
  const radius = Math.min(RADIUS, width / 3, height / 3);
  const pull = radius * (1 - CURVE);
  const curve = (...points: number[]) => `${numbers(points)} c`;
  const to = (x: number, y: number) => `${numbers([x, y])} l`;
  return [
    `${numbers([near + radius, near])} m`,
    to(right - radius, near),
    curve(right - pull, near, right, near + pull, right, near + radius),
    to(right, top - radius),
    curve(right, top - pull, right - pull, top, right - radius, top),
    to(near + radius, top),
    curve(near + pull, top, near, top - pull, near, top - radius),
    to(near, near + radius),
    curve(near, near + pull, near + pull, near, near + radius, near),
    'h',
  ].join(' ');
}
