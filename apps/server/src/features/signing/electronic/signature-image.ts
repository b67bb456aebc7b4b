import { DomainError, limits } from '@lavra/domain';

const MAX_PIXELS = 4000;

export type ImageType = 'image/png' | 'image/jpeg';

/**
 * Decodes and checks an uploaded signature image by its bytes, never by its declared type.
 * @throws DomainError evidence.imageRequired, imageInvalid, imageTooLarge
 */
export function readSignatureImage(base64: string): { bytes: Buffer; type: ImageType } {
  const bytes = Buffer.from(base64.replace(/^data:[^,]*,/, ''), 'base64');
  if (bytes.length === 0) throw new DomainError('evidence.imageRequired', { field: 'signatureImage' });
  if (bytes.length > limits.signatureImageMaxBytes) throw new DomainError('evidence.imageTooLarge', { field: 'signatureImage' });
  const size = pngSize(bytes) ?? jpegSize(bytes);
  if (!size || size.width < 1 || size.height < 1) throw new DomainError('evidence.imageInvalid', { field: 'signatureImage' });
  if (size.width > MAX_PIXELS || size.height > MAX_PIXELS) throw new DomainError('evidence.imageTooLarge', { field: 'signatureImage' });
  return { bytes, type: size.type };
}

interface ImageSize {
  type: ImageType;
  width: number;
  height: number;
}

function pngSize(bytes: Buffer): ImageSize | null {
  if (bytes.length < 33 || bytes.readUInt32BE(0) !== 0x89504e47 || bytes.toString('latin1', 12, 16) !== 'IHDR') return null;
  return { type: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** Walks the JPEG segments to the frame header (ITU T.81 §B.2.2). */
function jpegSize(bytes: Buffer): ImageSize | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null;
  let at = 2;
  while (at + 9 < bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { type: 'image/jpeg', height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}
