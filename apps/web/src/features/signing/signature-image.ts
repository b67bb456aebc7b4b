/** A PNG without a data: prefix, and how it was made. */
export interface SignatureImage {
  base64: string;
  style: 'typed' | 'drawn' | 'uploaded';
}

export const scriptFonts = ['Great Vibes', 'Dancing Script', 'Caveat'] as const;
const INK = '#12284b';
const MAX_SIDE = 1200;

function canvasOf(width: number, height: number): { canvas: HTMLCanvasElement; context: CanvasRenderingContext2D } {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.ceil(width));
  canvas.height = Math.max(1, Math.ceil(height));
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  return { canvas, context };
}

export function pngBase64(canvas: HTMLCanvasElement): string {
  return canvas.toDataURL('image/png').split(',')[1] ?? '';
}

/** A name in a script font that has the accents, on a clear ground. */
export async function typedSignature(name: string, font: string): Promise<SignatureImage> {
  const face = `96px "${font}"`;
  await document.fonts.load(face, name);
  const measure = canvasOf(1, 1).context;
  measure.font = face;
  const { canvas, context } = canvasOf(measure.measureText(name).width + 60, 170);
  context.font = face;
  context.fillStyle = INK;
  context.textBaseline = 'middle';
  context.fillText(name, 30, 85);
  return { base64: pngBase64(trimmed(canvas)), style: 'typed' };
}

export type ImageFault = 'evidence.imageInvalid' | 'evidence.imageDamaged' | 'evidence.imageBlank';

/**
 * A photo or scan: read with its EXIF orientation, made smaller, the paper turned clear by comparing each
 * point with its surroundings, and cut to the ink. Nearly blank pictures are refused.
 */
export async function uploadedSignature(file: File): Promise<SignatureImage | ImageFault> {
  const head = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  const isPng = head[0] === 0x89 && head[1] === 0x50;
  const isJpeg = head[0] === 0xff && head[1] === 0xd8;
  if (!isPng && !isJpeg) return 'evidence.imageInvalid';
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => null);
  if (!bitmap) return 'evidence.imageDamaged';
  const scale = Math.min(1, MAX_SIDE / Math.max(bitmap.width, bitmap.height));
  const { canvas, context } = canvasOf(bitmap.width * scale, bitmap.height * scale);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  const pixels = context.getImageData(0, 0, canvas.width, canvas.height);
  const ink = clearPaper(pixels);
  if (ink < 0.001) return 'evidence.imageBlank';
  context.putImageData(pixels, 0, 0);
  return { base64: pngBase64(trimmed(canvas)), style: 'uploaded' };
}

/** Bradley's local threshold over an integral image; answers the part of the picture that is ink. */
function clearPaper(pixels: ImageData): number {
  const { width, height, data } = pixels;
  const sums = new Float64Array((width + 1) * (height + 1));
  const light = (index: number) => {
    const alpha = (data[index + 3] ?? 255) / 255;
    return (((data[index] ?? 0) * 299 + (data[index + 1] ?? 0) * 587 + (data[index + 2] ?? 0) * 114) / 1000) * alpha + 255 * (1 - alpha);
  };
  for (let y = 0; y < height; y += 1) {
    let row = 0;
    for (let x = 0; x < width; x += 1) {
      row += light((y * width + x) * 4);
      sums[(y + 1) * (width + 1) + x + 1] = (sums[y * (width + 1) + x + 1] ?? 0) + row;
    }
  }
  const reach = Math.max(8, Math.round(width / 16));
  let ink = 0;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [x0, x1, y0, y1] = [Math.max(0, x - reach), Math.min(width, x + reach), Math.max(0, y - reach), Math.min(height, y + reach)];
      const at = (cx: number, cy: number) => sums[cy * (width + 1) + cx] ?? 0;
      const mean = (at(x1, y1) - at(x0, y1) - at(x1, y0) + at(x0, y0)) / ((x1 - x0) * (y1 - y0));
      const index = (y * width + x) * 4;
      const isInk = light(index) < mean * 0.85;
      if (isInk) ink += 1;
      data[index + 3] = isInk ? 255 : 0;
    }
  }
  return ink / (width * height);
}

/** Cut to what is not clear, with a small margin. */
export function trimmed(canvas: HTMLCanvasElement): HTMLCanvasElement {
  const { width, height } = canvas;
  const data = canvas.getContext('2d')?.getImageData(0, 0, width, height).data;
  if (!data) return canvas;
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if ((data[(y * width + x) * 4 + 3] ?? 0) < 16) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
  }
  if (right <= left || bottom <= top) return canvas;
  const margin = 6;
  const cut = canvasOf(right - left + 2 * margin, bottom - top + 2 * margin);
  cut.context.drawImage(
    canvas,
    left - margin,
    top - margin,
    cut.canvas.width,
    cut.canvas.height,
    0,
    0,
    cut.canvas.width,
    cut.canvas.height,
  );
  return cut.canvas;
}
