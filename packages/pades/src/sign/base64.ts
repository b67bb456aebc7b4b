/** Base64 of bytes, in Node and in browsers. */
export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 8190) {
    text += btoa(String.fromCharCode(...bytes.subarray(i, i + 8190)));
  }
  return text;
}

export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
