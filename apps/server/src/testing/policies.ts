import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** ITI's policies as published; null where they are not at hand. */
export function publishedPolicies(): string | null {
  const folder = process.env['LAVRA_POLICIES'] ?? resolve(import.meta.dirname, '../../../../../shared/icp-brasil/policies');
  return existsSync(folder) ? folder : null;
}

const tlv = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.of(tag, 0x82, content.length >> 8, content.length & 0xff), content]);
};

/** A list of approved policies in the shape of ITI's, which is renewed every 90 days: of this one, until `next`. */
export function approvedPolicies(name: string, next: Date): Buffer {
  const time = next.toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  const address = tlv(0x16, Buffer.from(`http://politicas.icpbrasil.gov.br/${name}`, 'latin1'));
  return tlv(0x30, tlv(0x30, tlv(0x30, address)), Buffer.of(0x18, 15), Buffer.from(time, 'latin1'));
}

/**
 * A folder for LAVRA_ICP_BRASIL_POLICIES with ITI's AD-RA 1.4 and a list in force of our own, whose signature is a stand-in that
 * nobody reads; whoever asks removes it. Null where ITI's files are not at hand.
 */
export function policiesFolder(next = new Date('2037-01-01')): string | null {
  const published = publishedPolicies();
  if (published === null) return null;
  const name = 'PA_PAdES_AD_RA_v1_4.der';
  const folder = mkdtempSync(join(tmpdir(), 'lavra-policies-'));
  writeFileSync(join(folder, name), readFileSync(join(published, name)));
  writeFileSync(join(folder, 'LPA_PAdES.der'), approvedPolicies(name, next));
  writeFileSync(join(folder, 'LPA_PAdES.p7s'), Uint8Array.of(0x30, 0));
  return folder;
}
