/** The little of node-forge that legacy ciphers need: bytes are binary strings there. */
declare module 'node-forge' {
  interface Buffer {
    getBytes(): string;
  }
  interface Decipher {
    start(options: { iv: string } | string): void;
    update(input: Buffer): void;
    /** False: the padding is wrong. */
    finish(): boolean;
    output: Buffer;
  }
  interface Forge {
    util: { createBuffer(bytes: string): Buffer };
    cipher: { createDecipher(name: '3DES-CBC', key: string): Decipher };
    rc2: { createDecryptionCipher(key: string, bits: number): Decipher };
  }
  const forge: Forge;
  // oxlint-disable-next-line import/no-default-export -- that is how the library is made
  export default forge;
}
