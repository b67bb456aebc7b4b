import { AppearanceBuilder } from '../appearance/builder.ts';
import { writeFormLooks } from '../appearance/form/form-looks.ts';
import { buildSignedAttributes } from '../cms/signed-attributes.ts';
import { digestFor, signingKeyOf } from '../cms/signing-key.ts';
import { digestOf, platformCrypto } from '../crypto.ts';
import type { Crypto } from '../crypto.ts';
import { PadesError } from '../errors.ts';
import { FormEditor } from '../pdf/form-editor.ts';
import { listFields } from '../pdf/form.ts';
import { inspectPdf } from '../inspect/inspect-pdf.ts';
import type { Pdf } from '../pdf/pdf.ts';
import { isLocked, readPermissions } from '../pdf/permissions.ts';
import { assertOwnerPermits } from '../pdf/security/owner-permits.ts';
import { requirementsOf } from '../pdf/requirements.ts';
import { RevisionWriter } from '../pdf/revision-writer.ts';
import { toBase64 } from '../base64.ts';
import { FieldWriter } from './field-writer.ts';
import { closeByteRange, digestByteRange } from './hole.ts';
import type { PreparedSignature, SignatureRequest, UnsignedRevision } from './request.ts';
import { signatureDictionary } from './signature-dictionary.ts';

const roomWithTimestamp = 16 << 10;
/** Signed attributes, the value of the largest key, and the structure around them. */
const roomAlone = 4 << 10;
/** Signed attributes, names and algorithms around a value whose length is the key's. */
const roomAround = 1 << 10;
/** A CMS larger than this is no signature: chains and timestamps are some kilobytes. */
export const largestReserve = 1 << 20;

/**
 * Step one: writes the revision with a hole for the signature and says what is to be signed. The file is read once,
 * 1 MiB at a time.
 *
 * Throws the file's refusal codes, FIELD_NOT_FOUND, FIELD_ALREADY_SIGNED, FIELD_TYPE_MISMATCH, FIELD_LOCKED,
 * CHANGE_NOT_PERMITTED, UNSUPPORTED_ALGORITHM (key, digest or policy do not go together), CERTIFICATE_INVALID,
 * INVALID_PLAN (no sane `reserve`), and the appearance codes.
 */
export async function prepareSignature(pdf: Pdf, request: SignatureRequest, options: { crypto?: Crypto } = {}): Promise<PreparedSignature> {
  const crypto = options.crypto ?? platformCrypto;
  const { revision, byteRange, digest, signedAttributes } = await writeUnsigned(pdf, request, crypto);
  const { kind } = signingKeyOf(request.certificate);
  return {
    format: 1,
    signingTime: new Date(Math.floor(request.signingTime.getTime() / 1000) * 1000).toISOString(),
    offset: revision.offset,
    revision: toBase64(revision.bytes),
    byteRange,
    digest,
    signedAttributes: toBase64(signedAttributes),
    toBeSigned: toBase64(kind === 'ed25519' ? signedAttributes : await digestOf(crypto, digest, signedAttributes)),
    ...(request.policy?.needsTimestamp ? { needsTimestamp: true as const } : {}),
    certificate: toBase64(request.certificate),
    chain: request.chain.map(toBase64),
  };
}

/** Step one as it is made, for who goes on at once. Throws as `prepareSignature`. */
export async function writeUnsigned(pdf: Pdf, request: SignatureRequest, crypto: Crypto): Promise<UnsignedRevision> {
  const key = signingKeyOf(request.certificate);
  const digest = digestFor(key, request.digest, request.policy);
  await assertMaySign(pdf, request);
  const writer = new RevisionWriter(pdf);
  const looks = new AppearanceBuilder(writer, await requirementsOf(pdf));
  const form = await FormEditor.open(pdf, writer);
  const fields = new FieldWriter(pdf, writer, looks, await listFields(pdf));
  const target = await fields.signatureTarget(request.field, form);
  const value = writer.add(signatureDictionary(request, target.lock, reserveOf(request)));
  await fields.sign(target, value, request.appearance ?? null);
  for (const fill of request.fills ?? []) await fields.fill(fill);
  await looks.finish();
  await form.finish({ looksDrawn: await writeFormLooks(pdf, writer) });
  const placed = await writer.finish((length) => crypto.random(length));
  const byteRange = closeByteRange(placed);
  const { revision } = placed;
  const messageDigest = await digestByteRange(pdf.source, revision.bytes, byteRange, digest, crypto);
  const signedAttributes = await buildSignedAttributes({
    messageDigest,
    digest,
    certificate: request.certificate,
    ...(request.policy ? { policy: request.policy } : {}),
  });
  const { certificate, chain, policy } = request;
  return { revision, byteRange, digest, signedAttributes, needsTimestamp: policy?.needsTimestamp === true, certificate, chain };
}

function reserveOf(request: SignatureRequest): number {
  if (request.reserve !== undefined) {
    const { reserve } = request;
    if (!Number.isInteger(reserve) || reserve < 1 || reserve > largestReserve) throw new PadesError('INVALID_PLAN', 'reserve');
    return reserve;
  }
  const certificates = [request.certificate, ...request.chain];
  const isAlone = request.timestamped === false && request.policy?.needsTimestamp !== true;
  const { timestampBytes } = request;
  const measured = timestampBytes === undefined ? roomWithTimestamp : roomAround + valueBytes(request.certificate) + timestampBytes;
  return certificates.reduce((sum, certificate) => sum + certificate.length, isAlone ? roomAlone : measured);
}

/** Of a signature by this key: an RSA modulus, or two numbers with their DER. */
function valueBytes(certificate: Uint8Array): number {
  const { kind, bits } = signingKeyOf(certificate);
  return kind === 'rsa' ? Math.ceil(bits / 8) : 2 * Math.ceil(bits / 8) + 16;
}

/** DocMDP and FieldMDP (§12.8.2): what earlier signatures forbid is refused, never overridden. */
async function assertMaySign(pdf: Pdf, request: SignatureRequest): Promise<void> {
  assertOwnerPermits(pdf, typeof request.field === 'string' ? 'fill' : 'change');
  const inspection = await inspectPdf(pdf, { maxPages: 0 });
  // With no page counted, NO_PAGES says nothing; whether there is one shows when the field is placed.
  const { refusal } = inspection;
  if (refusal !== null && refusal !== 'NO_PAGES') throw new PadesError(refusal);
  const creates = typeof request.field !== 'string';
  const name = typeof request.field === 'string' ? request.field : request.field.name;
  if (creates && request.field.at !== undefined && !inspection.permits.visibleSignatureFields) {
    throw new PadesError('CHANGE_NOT_PERMITTED', 'a new visible field');
  }
  const { locks } = await readPermissions(pdf);
  const touched = [name, ...(request.fills ?? []).map(({ field }) => field)];
  const locked = touched.find((field) => isLocked(locks, field));
  if (locked !== undefined && !(creates && locked === name)) {
    throw new PadesError('FIELD_LOCKED', undefined, { field: locked });
  }
}
