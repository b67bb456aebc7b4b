import type { AttackWorld } from '../attacks/world.ts';
import type { RevisionCase, RevisionCases } from './cases.ts';
import { document, no } from './documents.ts';
import { Draft } from './draft.ts';
import { fill } from './form-filling.ts';

/** `SigNew` signs with a lock over a group of which one field is filled, then another field is. */
async function locked({ ana }: AttackWorld, lock: string, before: number, after: number): Promise<Uint8Array> {
  const draft = new Draft(document({ fields: 1, text: 'group' }));
  const field = draft.signatureField('SigNew', '[10 74 140 134]');
  draft.entries(field, `/Lock<</Type/SigFieldLock${lock}/P 2>>`);
  const signed = await fill(draft, before, 'Some text').sign(field, ana, { lock: `${lock}/P 2` });
  return fill(new Draft(signed), after, 'Some other text').write();
}

const first = '[(TextInput.TextField1)]';
const second = '[(TextInput.TextField2)]';

const failing = {
  'include-first': `/Action/Include/Fields${first}`,
  'exclude-second': `/Action/Exclude/Fields${second}`,
  'include-group': '/Action/Include/Fields[(TextInput)]',
  all: '/Action/All',
  'exclude-signature': '/Action/Exclude/Fields[(Sig1)]',
};

const allowing = {
  'include-first': `/Action/Include/Fields${first}`,
  'exclude-second': `/Action/Exclude/Fields${second}`,
  'exclude-group': '/Action/Exclude/Fields[(TextInput)]',
  'include-signature': '/Action/Include/Fields[(Sig1)]',
};

function each(name: string, specs: Readonly<Record<string, string>>, after: number): [string, RevisionCase][] {
  return Object.entries(specs).flatMap(([spec, lock]) =>
    [no.text1, no.text2].map((before, index): [string, RevisionCase] => [
      `${name}[${index}-${spec}]`,
      (world) => locked(world, lock, before, after),
    ]),
  );
}

/** FieldMDP: what a signature's lock closes, and what it leaves open. */
export const locks: RevisionCases = {
  ...Object.fromEntries(each('form_field_in_group_locked_postsign_modify_failure', failing, no.text1)),
  ...Object.fromEntries(each('form_field_in_group_locked_postsign_modify_success', allowing, no.text2)),
};
