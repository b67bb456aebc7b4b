import assert from 'node:assert/strict';
import { createPrivateKey } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as api from '@lavra/api';
import { adRa14, adRc14 } from '@lavra/pades';
import { signIn } from '../apps/server/src/testing/accounts.ts';
import { giveCloudLeave, signLocally, statusOf, until } from '../apps/server/src/testing/certificate-acts.ts';
import { createDraft } from '../apps/server/src/testing/processes.ts';
import { overHttp } from '../apps/server/src/testing/program.ts';
import { findSignatures } from '../apps/server/src/testing/signatures.ts';
import type { Product } from '../e2e/product.ts';
import type { Case } from './manifest.ts';
import { pyHankoOnArchives } from './matrix.ts';

interface Kept {
  authorities: { slug: string; parent: string | null; certificate: string }[];
  certificates: Record<string, { certificate: string; key: string }>;
}

const owner = { firstName: 'Ana', login: 'ana@exemplo.com.br', email: 'ana@exemplo.com.br', password: 'Segredo123' };
const signers = [
  { name: 'Ana Beatriz Conceição', email: 'ana.conceicao@exemplo.com.br' },
  { name: 'Dora Lima', email: 'dora@exemplo.com.br' },
  { name: 'Elias Araújo', email: 'elias@exemplo.com.br' },
];

/**
 * Three people of the development world sign two documents: one in the cloud, one with a file, one as with a token; both of
 * ICP-Brasil's trees. Its timestamp authority stamps each signature and archives the files: AD-RA where the product was given
 * ITI's policies, else AD-RC. Trusted are the make-believe roots alone, and nothing but the files is handed to the judges.
 */
export async function certificatesStory(product: Product, folder: string, policy: typeof adRa14 | typeof adRc14): Promise<Case> {
  const app = overHttp(product.url, product.dataDir);
  await app.call(api.register, { body: owner });
  const token = await signIn(app, owner);
  const documents = ['contrato.pdf', 'anexo.pdf'];
  const draft = await createDraft(app, { token }, { type: 'DIGITAL_SIGNATURE', documents, signers });
  await app.call(api.startSignatureProcess, { token, params: { id: draft.id } });
  const kept = JSON.parse(readFileSync(join(product.dataDir, 'development/icp-brasil.json'), 'utf8')) as Kept;
  const signed = (signer: number) =>
    until(
      () => statusOf(app, draft, signer),
      ({ status }) => status === 'SIGNED',
    );
  await giveCloudLeave(app, draft, 0, { cpf: '52998224725', psc: 'BIRDID' });
  await signed(0);
  await signLocally(app, draft, 1, { cpf: '31517191394', source: 'file', ...identity(kept, 'dora-a1') });
  await signed(1);
  await signLocally(app, draft, 2, { cpf: '42628200414', source: api.LAVRA_SIGNER, ...identity(kept, 'elias-a1-antigo') });
  await until(
    () => app.call(api.getSignatureProcess, { token, params: { id: draft.id } }),
    ({ body }) => body.status === 'FINALIZED_WITH_SUCCESS',
  );
  for (const [index, id] of draft.documentIds.entries()) {
    const answer = await fetch(`${product.url}/api/downloadSignature/${draft.id}/${id}`, { headers: { authorization: `Bearer ${token}` } });
    const file = Buffer.from(await answer.arrayBuffer());
    // No seal and no timestamp of ours besides: these are the people's signatures, and the document timestamp.
    assert.equal(findSignatures(file).length, signers.length + 1);
    writeFileSync(join(folder, documents[index] ?? ''), file);
  }
  const believed = kept.authorities.filter(({ slug }) => !slug.endsWith('-outside'));
  return {
    folder,
    claims: documents.map((file) => ({
      file,
      level: policy === adRa14 ? 'AD-RA 1.4' : 'AD-RC 1.4',
      baseline: 'B-LTA',
      policy: policy.oid,
      key: 'RSA-2048',
      kind: 'three certificates',
      refusals: policy === adRa14 ? { pyHanko: pyHankoOnArchives } : {},
    })),
    roots: believed.filter(({ parent }) => parent === null).map(({ certificate }) => bytes(certificate)),
    lists: [],
  };
}

const bytes = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'));

function identity({ certificates }: Kept, id: string) {
  const { certificate, key } = certificates[id] ?? { certificate: '', key: '' };
  return { certificate: bytes(certificate), key: createPrivateKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'pkcs8' }) };
}
