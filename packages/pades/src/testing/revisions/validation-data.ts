import { extendPdf } from '../../extend/extend-pdf.ts';
import type { PadesLevel } from '../../extend/extend-pdf.ts';
import { openPdf } from '../../open-pdf.ts';
import { memorySource } from '../../source.ts';
import { append } from '../attacks/bases.ts';
import type { AttackWorld } from '../attacks/world.ts';
import { numberOf, streamText } from '../attacks/write-revision.ts';
import type { RevisionCase, RevisionCases } from './cases.ts';
import { document, look, no } from './documents.ts';
import { Draft } from './draft.ts';
import { fill } from './form-filling.ts';
import { signedOnce } from './second-signatures.ts';

async function extended(bytes: Uint8Array, world: AttackWorld, level: PadesLevel): Promise<Uint8Array> {
  const { timestamps, revocations, at, crypto } = world;
  return append(bytes, await extendPdf(await openPdf(memorySource(bytes)), level, { timestamps, revocations, at, crypto }));
}

/** Two signers; validation data was added behind each. */
async function twice(world: AttackWorld, certify?: 2): Promise<Uint8Array> {
  const first = await extended(await signedOnce(world.ana, { fields: 2 }, certify), world, 'B-LT');
  return extended(await new Draft(first).sign(no.sig2, world.rui), world, 'B-LT');
}

/** The number of the DSS, which the engine writes as an object of its own. */
const storeOf = (bytes: Uint8Array): number => numberOf(bytes, '/Type /DSS');

/** The first entry of VRI: its name of forty hexadecimal digits, and what it refers to. */
const firstEntry = /\/[0-9A-F]{40} \d+ 0 R/;

/** A signature that covers the DSS, then the DSS loses something. */
async function shortened(world: AttackWorld, edit: (draft: Draft, store: number) => unknown): Promise<Uint8Array> {
  const first = await extended(await signedOnce(world.ana, { fields: 2 }), world, 'B-LT');
  const signed = await new Draft(first).sign(no.sig2, world.rui);
  const draft = new Draft(signed);
  edit(draft, storeOf(signed));
  return draft.write();
}

const vri = (entry: string): string => `<</VRI<</${'A'.repeat(40)} ${entry}>>>>`;

/** What a DSS is not. */
const bogusStores = {
  string: '(Hi there)',
  'unknown-entry': '<</Blah null>>',
  'null-certificates': '<</Certs null>>',
  'null-vri': '<</VRI null>>',
  'vri-with-a-name': '<</VRI<</Bleh null>>>>',
  'null-vri-entry': vri('null'),
  'vri-entry-unknown': vri('<</Bleh null>>'),
  'vri-entry-null-ocsp': vri('<</OCSP null>>'),
};

async function bogusStore(world: AttackWorld, store: string): Promise<Uint8Array> {
  const draft = new Draft(await extended(await signedOnce(world.ana, { fields: 2 }), world, 'B-LT'));
  const num = draft.add(store);
  return draft.replace(no.catalog, /\/DSS \d+ 0 R/, `/DSS ${num} 0 R`).write();
}

/** An entry of VRI with nothing in it but a TS. */
async function timestampInVri(world: AttackWorld, direct: boolean): Promise<Uint8Array> {
  const signed = await twice(world);
  const draft = new Draft(signed);
  const stamp = direct ? '()' : `${draft.add(streamText('\x05\x00'))} 0 R`;
  const entry = draft.add(`<</TS ${stamp}>>`);
  return draft.replace(storeOf(signed), /\/VRI\s*<</, `/VRI<</${'DEADBEEF'.repeat(5)} ${entry} 0 R`).write();
}

/** Boxes to tick and to choose from, each with its states, their looks direct in AP or in an object of their own. */
async function states(world: AttackWorld, indirect: boolean): Promise<Uint8Array> {
  const looks = '<</N<</Yes 40 0 R/Off 41 0 R>>>>';
  const objects = {
    [no.text1]: `<</Type/Annot/Subtype/Widget/FT/Btn/T(box)/F 4/P 3 0 R/Rect[10 74 30 94]/V/Off/AS/Off/AP ${indirect ? '42 0 R' : looks}>>`,
    40: look('0 0 20 20 re f'),
    41: look('0 0 20 20 re S'),
    ...(indirect ? { 42: looks } : {}),
  };
  const form = document({ fields: 1, text: 'one', objects });
  return extended(await new Draft(form).sign(no.sig1, world.ana), world, 'B-LTA');
}

async function lockedThenExtended(world: AttackWorld): Promise<Uint8Array> {
  const draft = new Draft(document());
  const field = draft.signatureField('SigNew', '[10 74 140 134]');
  draft.entries(field, '/Lock<</Type/SigFieldLock/Action/All/P 2>>');
  return extended(await draft.sign(field, world.ana, { lock: '/Action/All/P 2' }), world, 'B-LTA');
}

/** DSS and document timestamps, whole, doubled and cut. */
export const validationData: RevisionCases = {
  form_field_postsign_fill_pades_lt: async (world) =>
    fill(new Draft(await extended(await signedOnce(world.ana, { fields: 1, text: 'one' }), world, 'B-LT')), no.text1, 'Some text').write(),
  form_field_postsign_modify_pades_lt: async (world) => {
    const filled = fill(new Draft(document({ fields: 1, text: 'one' })), no.text1, 'Some text');
    const signed = await extended(await filled.sign(no.sig1, world.ana), world, 'B-LT');
    return fill(new Draft(signed), no.text1, 'Some other text').write();
  },
  fieldmdp_all_pades_lta: lockedThenExtended,
  inline_ap_pades_lta: async (world) => {
    const empty = new Draft(document());
    const field = empty.signatureField('Sig1', '[10 74 140 134]');
    empty.entries(field, `/AP<</N ${empty.add(look(''))} 0 R>>`);
    return extended(await new Draft(empty.write()).sign(field, world.ana), world, 'B-LTA');
  },
  'button_appearance_streams_pades_lta[direct]': (world) => states(world, false),
  'button_appearance_streams_pades_lta[indirect]': (world) => states(world, true),
  'pades_double_sign[approved]': (world) => twice(world),
  'pades_double_sign[certified]': (world) => twice(world, 2),
  pades_double_sign_delete_dss: (world) => shortened(world, (draft) => draft.replace(no.catalog, /\/DSS \d+ 0 R/, '')),
  pades_double_sign_delete_vri: (world) => shortened(world, (draft, store) => draft.replace(store, /\/VRI\s*<<.*?>>/s, '')),
  pades_double_sign_delete_entry_in_vri: (world) => shortened(world, (draft, store) => draft.replace(store, firstEntry, '')),
  'pades_vri_allow_ts_addition[indirect]': (world) => timestampInVri(world, false),
  'pades_vri_allow_ts_addition[direct]': (world) => timestampInVri(world, true),
  pades_dss_object_clobber: async (world) => {
    const base = document({ fields: 2, objects: { 40: '(Hi there)' } });
    const signed = await extended(await new Draft(base).sign(no.sig1, world.ana), world, 'B-LT');
    const draft = new Draft(signed);
    return draft
      .set(40, draft.text(storeOf(signed)))
      .replace(no.catalog, /\/DSS \d+ 0 R/, '/DSS 40 0 R')
      .write();
  },
  ...Object.fromEntries(
    Object.entries(bogusStores).map(([name, store]): [string, RevisionCase] => [
      `pades_dss_object_typing_tamper[${name}]`,
      (world) => bogusStore(world, store),
    ]),
  ),
  pades_sign_twice_indirect_arrs: async (world) => {
    const signed = await extended(await signedOnce(world.ana, { fields: 2 }), world, 'B-LT');
    const draft = new Draft(signed);
    const store = storeOf(signed);
    for (const key of ['Certs', 'CRLs']) {
      const list = /\[[^\]]*\]/.exec(draft.text(store).slice(draft.text(store).lastIndexOf(`/${key}`)))?.[0] ?? '[]';
      draft.replace(store, new RegExp(`/${key}\\s*\\[[^\\]]*\\]`), `/${key} ${draft.add(list)} 0 R`);
    }
    return extended(await new Draft(draft.write()).sign(no.sig2, world.rui), world, 'B-LT');
  },
  pades_sign_update_dss: async (world) => {
    const signed = await twice(world);
    const draft = new Draft(signed);
    const certificate = String.fromCharCode(...world.mallory.certificate);
    const added = draft.add(streamText(certificate));
    return draft.replace(storeOf(signed), /\/Certs\s*\[/, `/Certs[${added} 0 R `).write();
  },
  indir_ref_in_sigref_dict: async (world) => extended(await signedOnce(world.ana, { fields: 1 }, 1), world, 'B-LTA'),
  pades_revinfo_live: async (world) => extended(await signedOnce(world.ana, { fields: 1 }), world, 'B-LT'),
  pades_revinfo_live_update: async (world) =>
    extended(await extended(await signedOnce(world.ana, { fields: 1 }), world, 'B-LTA'), world, 'B-LTA'),
  pades_lta_sign_twice: async (world) => {
    const first = await extended(await signedOnce(world.ana, { fields: 2 }), world, 'B-LTA');
    return extended(await new Draft(first).sign(no.sig2, world.rui), world, 'B-LTA');
  },
};
