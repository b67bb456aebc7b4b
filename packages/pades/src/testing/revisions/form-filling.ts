import type { AttackWorld } from '../attacks/world.ts';
import type { RevisionCase, RevisionCases } from './cases.ts';
import { document, look, no } from './documents.ts';
import type { DocumentParts } from './documents.ts';
import { Draft } from './draft.ts';
import { signedOnce } from './second-signatures.ts';

/** A value and how it looks, whatever was there. */
export function fill(draft: Draft, field: number, value: string): Draft {
  const shown = draft.add(look(`q 0 0 1 rg BT /Ti 12 Tf (${value}) Tj ET Q`));
  const bare = draft
    .text(field)
    .replace(/\/V\([^)]*\)/, '')
    .replace(/\/AP<<.*?>>/, '');
  draft.set(field, bare);
  return draft.entries(field, `/V(${value})/AP<</N ${shown} 0 R>>`);
}

/** The text fields named are filled first, then `Sig1` signs, then the fields named second are filled. */
export async function filledAround(
  { ana }: AttackWorld,
  text: NonNullable<DocumentParts['text']>,
  before: readonly number[],
  after: readonly number[],
): Promise<Uint8Array> {
  const first = new Draft(document({ fields: 1, text }));
  for (const field of before) fill(first, field, 'Some text');
  const second = new Draft(await first.sign(no.sig1, ana));
  for (const field of after) fill(second, field, 'Some other text');
  return second.write();
}

const kinds = ['group', 'group-with-indirect-kids'] as const;

function inGroup(name: string, before: readonly number[], after: readonly number[]): [string, RevisionCase][] {
  return kinds.map((kind) => [`${name}[${kind}]`, (world) => filledAround(world, kind, before, after)]);
}

/** `Sig1` signed over a form, then one object edited. */
function edited(parts: DocumentParts, edit: (draft: Draft) => unknown): RevisionCase {
  return async ({ ana }) => {
    const draft = new Draft(await signedOnce(ana, parts));
    edit(draft);
    return draft.write();
  };
}

const bogusKids: Readonly<Record<string, (draft: Draft) => string>> = {
  name: () => '/Test',
  empty: () => '[]',
  null: () => '[null]',
  'null-object': (draft) => `[${draft.add('null')} 0 R]`,
};

const kidsOfField = Object.entries(bogusKids).map(([name, kids]): [string, RevisionCase] => [
  `form_field_kids_tamper[${name}]`,
  edited({ fields: 1, text: 'one' }, (draft) => draft.entries(no.text1, `/Kids ${kids(draft)}`)),
]);

const bogusPages: typeof bogusKids = { ...bogusKids, missing: () => '' };

const kidsOfPages = Object.entries(bogusPages).map(([name, kids]): [string, RevisionCase] => [
  `pages_kids_tamper[${name}]`,
  edited({}, (draft) => {
    draft.signatureField('Extra');
    const value = kids(draft);
    draft.replace(no.pages, /\/Kids\[[^\]]*\]/, value === '' ? '' : `/Kids ${value}`);
  }),
]);

const names = { null: 'null', duplicate: '(Sig1)', period: '(Sig2.)' };

/** What fills a form after the signature, and what bends it. */
export const formFilling: RevisionCases = {
  form_field_postsign_fill: (world) => filledAround(world, 'one', [], [no.text1]),
  form_field_postsign_modify: (world) => filledAround(world, 'one', [no.text1], [no.text1]),
  ...Object.fromEntries(inGroup('form_field_in_group_postsign_fill', [], [no.text1])),
  ...Object.fromEntries(inGroup('form_field_in_group_postsign_fill_other_field', [no.text1], [no.text2])),
  ...Object.fromEntries(inGroup('form_field_in_group_postsign_modify', [no.text1], [no.text1, no.text2])),
  form_field_ft_tamper: edited({ fields: 1, text: 'one' }, (draft) => draft.replace(no.text1, '/FT/Tx', '/FT/Sig')),
  ...Object.fromEntries(kidsOfField),
  ...Object.fromEntries(kidsOfPages),
  form_field_structure_modification: edited({ fields: 1, text: 'one' }, (draft) =>
    draft.listed(draft.add(draft.text(no.text1).replace('(TextField1)', '(OtherField)'))),
  ),
  form_field_ap_null: async ({ ana, rui }) => {
    const second = new Draft(await signedOnce(ana, { fields: 2 }));
    const shown = second.add(look('0 0 130 60 re f'));
    const signed = await second.entries(no.sig2, `/AP<</N ${shown} 0 R>>`).sign(no.sig2, rui);
    return new Draft(signed).replace(no.sig2, /\/AP<<[^>]*>>/, '/AP null').write();
  },
  ...Object.fromEntries(
    Object.entries(names).map(([name, value]): [string, RevisionCase] => [
      `form_field_manipulate_names[${name}]`,
      edited({ fields: 2 }, (draft) => draft.replace(no.sig2, '/T(Sig2)', `/T ${value}`)),
    ]),
  ),
};
