import { latin1Bytes, latin1Text } from '../../pdf/objects.ts';
import { streamText } from '../attacks/write-revision.ts';
import type { AttackSigner } from '../attacks/world.ts';
import type { RevisionCases } from './cases.ts';
import { no } from './documents.ts';
import { Draft } from './draft.ts';
import { circular } from './other-objects.ts';
import { signedOnce } from './second-signatures.ts';

/** What takes away from a signed document, or puts in what nobody signed. */
export const damage: RevisionCases = {
  delete_signature: async ({ ana, rui }) => {
    const signed = await new Draft(await signedOnce(ana, { fields: 2 })).sign(no.sig2, rui);
    return new Draft(signed).replace(no.sig1, /\s*\/V \d+ 0 R/, '').write();
  },
  tamper_sig_obj: async ({ ana }) => {
    const signed = await signedOnce(ana, {});
    const draft = new Draft(signed);
    const value = Number(/\/V (\d+) 0 R/.exec(latin1Text(signed))?.[1]);
    return draft.entries(value, '/Bleh false').write();
  },
  rogue_backreferences: async ({ ana }) => {
    const signed = await signedOnce(ana, { catalog: '/DSS 4 0 R' });
    const draft = new Draft(signed);
    draft.signatureField('SigNew', '[10 74 140 134]');
    return new Draft(draft.write()).set(no.content, streamText('BT /F1 18 Tf (Hello World) Tj ET q Q')).write();
  },
  not_all_paths_cleared: async ({ ana, rui }) => {
    const objects = { [no.form]: '<</Fields 40 0 R/SigFlags 3>>', 40: '[7 0 R]' };
    const draft = new Draft(await signedOnce(ana, { fields: 1, objects, catalog: '/Blah 40 0 R' }));
    const field = draft.add('<</Type/Annot/Subtype/Widget/FT/Sig/T(SigNew)/F 132/P 3 0 R/Rect[0 0 0 0]>>');
    draft.annotation(field, no.page);
    return draft.set(40, `[7 0 R ${field} 0 R]`).sign(field, rui);
  },
  delete_sig_annot: async ({ ana }) => new Draft(await signedOnce(ana, {})).replace(no.page, /\/Annots\[[^\]]*\]/, '').write(),
  double_sig_delete_old_sig_annot: async ({ ana, rui }) =>
    new Draft(await signedOnce(ana, {})).replace(no.page, /\/Annots\[[^\]]*\]/, '/Annots[]').signNew('SigNew', rui),
  double_sig_different_pages_delete_old_annot: async ({ ana, rui }) => {
    const draft = new Draft(await signedOnce(ana, { pages: 2 }));
    draft.replace(no.page, /\/Annots\[[^\]]*\]/, '/Annots[]');
    return draft.sign(draft.signatureField('SigNew', '[10 10 10 10]', no.secondPage), rui);
  },
  skip_diff_scenario_2: async ({ ana }) => {
    const draft = new Draft(await signedOnce(ana, {}));
    const content = 'q BT /F1 18 Tf 0 50 Td (Sneaky text!) Tj ET Q';
    const added = draft.add(streamText(content));
    return draft.replace(no.page, '/Contents 4 0 R', `/Contents[4 0 R ${added} 0 R]`).write();
  },
  diff_analysis_circular_page_tree: ({ ana }) => signedInCircle('page-tree', ana),
  diff_analysis_circular_structure_tree: ({ ana }) => signedInCircle('structure-tree', ana),
  standalone_document_timestamp_tampered: async ({ ana }) => {
    const text = latin1Text(await signedOnce(ana, {}));
    return latin1Bytes(text.replace('Hello World', 'Hello Wurld'));
  },
};

async function signedInCircle(kind: keyof typeof circular, signer: AttackSigner): Promise<Uint8Array> {
  const signed = await new Draft(circular[kind]()).signNew('Signed', signer);
  const draft = new Draft(signed);
  draft.add('null');
  return draft.write();
}
