import type { AttackSigner } from '../attacks/world.ts';
import type { RevisionCases } from './cases.ts';
import { document, look, no } from './documents.ts';
import type { DocumentParts } from './documents.ts';
import { Draft } from './draft.ts';

/** `Sig1` signed, in a field that is there or in one that comes along. */
export async function signedOnce(signer: AttackSigner, parts: DocumentParts, certify?: 1 | 2 | 3): Promise<Uint8Array> {
  const draft = new Draft(document(parts));
  const how = certify === undefined ? {} : { certify };
  return (parts.fields ?? 0) > 0 ? draft.sign(no.sig1, signer, how) : draft.signNew('Sig1', signer, how);
}

/** Document information under a new number. */
export function withInformation(draft: Draft): string {
  return `/Info ${draft.add('<</CreationDate(D:20201010000000Z)>>')} 0 R`;
}

function informed(base: Uint8Array): Uint8Array {
  const draft = new Draft(base);
  return draft.write({ trailer: withInformation(draft) });
}

async function addField(parts: DocumentParts, { ana, rui }: { ana: AttackSigner; rui: AttackSigner }): Promise<Uint8Array> {
  return new Draft(informed(await signedOnce(ana, parts))).signNew('SigNew', rui);
}

async function certifiedFirst(level: 2 | 3, tagged: boolean, { ana, rui }: { ana: AttackSigner; rui: AttackSigner }): Promise<Uint8Array> {
  return new Draft(await signedOnce(ana, { fields: 2, tagged }, level)).sign(no.sig2, rui);
}

/** A group of fields `NewSigs` with a signature field `NewSig1` in it. */
const deep = (kid: string): DocumentParts => ({
  fields: 1,
  objects: {
    [no.form]: '<</Fields[7 0 R 11 0 R]/SigFlags 3>>',
    [no.group]: '<</T(NewSigs)/Kids[9 0 R]>>',
    [no.text1]: kid,
    [no.page]: '<</Type/Page/Parent 2 0 R/Resources<</Font<</F1 13 0 R>>>>/Contents 4 0 R/Annots[7 0 R 9 0 R]>>',
  },
});

const annotsMadeIndirect = async ({ ana, rui }: { ana: AttackSigner; rui: AttackSigner }): Promise<Uint8Array> => {
  const draft = new Draft(await signedOnce(ana, { fields: 1 }));
  const field = draft.add(`<</Type/Annot/Subtype/Widget/FT/Sig/T(SigNew)/F 132/P 3 0 R/Rect[10 10 10 10]>>`);
  const list = draft.add(`[7 0 R ${field} 0 R]`);
  return draft.replace(no.page, '/Annots[7 0 R]', `/Annots ${list} 0 R`).sign(draft.listed(field), rui);
};

/** A signature field that shows something and says that it was signed by a signature which was there. */
function recycled(base: Uint8Array, signature: number): Uint8Array {
  const draft = new Draft(base);
  const field = draft.signatureField('EvilSig', '[10 74 140 134]');
  const shown = draft.add(look('0 0 130 60 re f'));
  return draft.entries(field, `/AP<</N ${shown} 0 R>>/V ${signature} 0 R`).write();
}

/** The first signature's dictionary: the first object behind the document's. */
const firstSignature = 20;

/** What a second signer leaves behind, and what looks like it. */
export const secondSignatures: RevisionCases = {
  'double_sig_add_field[none]': (world) => addField({}, world),
  'double_sig_add_field[stream]': (world) => addField({ form: 'stream' }, world),
  'double_sig_add_field[one]': (world) => addField({ fields: 1 }, world),
  'double_sig_add_field[two-pages]': (world) => addField({ pages: 2 }, world),
  double_sig_different_pages: async ({ ana, rui }) => {
    const first = await new Draft(document({ pages: 2 })).signNew('Sig1', ana, {}, '[10 10 10 10]');
    const draft = new Draft(first);
    return informed(await draft.sign(draft.signatureField('SigNew', '[10 10 10 10]', no.secondPage), rui));
  },
  double_sig_create_deep_field_post_sign: async ({ ana, rui }) => {
    const draft = new Draft(await signedOnce(ana, deep('<</FT/Sig/T(NewSig1)/Parent 11 0 R>>'), 2));
    const field = draft.add('<</Type/Annot/Subtype/Widget/FT/Sig/T(NewSig2)/Parent 11 0 R/F 132/P 3 0 R/Rect[0 0 0 0]>>');
    draft.annotation(field, no.page);
    return draft.replace(no.group, '[9 0 R]', `[9 0 R ${field} 0 R]`).sign(field, rui);
  },
  double_sig_fill_deep_field_post_sign: async ({ ana, rui }) => {
    const kid = '<</Type/Annot/Subtype/Widget/FT/Sig/T(NewSig1)/Parent 11 0 R/F 132/P 3 0 R/Rect[0 0 0 0]>>';
    return new Draft(await signedOnce(ana, deep(kid), 2)).sign(no.text1, rui);
  },
  no_field_type: async ({ ana, rui }) => {
    const draft = new Draft(await signedOnce(ana, { fields: 1 }, 2));
    draft.listed(draft.add('<</T(Blah)>>'));
    return draft.signNew('NewSig', rui);
  },
  double_sig_add_field_annots_indirect: annotsMadeIndirect,
  double_sig_add_visible_field_approval: async ({ ana, rui }) => {
    const draft = new Draft(await signedOnce(ana, { fields: 1 }));
    return draft.signNew('SigNew', rui, {}, '[10 74 140 134]');
  },
  double_sig_add_visible_field_certify: async ({ ana, rui }) => {
    const draft = new Draft(await signedOnce(ana, { fields: 1 }, 2));
    return draft.signNew('SigNew', rui, {}, '[10 74 140 134]');
  },
  'double_signature_certify_first[fill]': (world) => certifiedFirst(2, false, world),
  'double_signature_certify_first[fill-tagged]': (world) => certifiedFirst(2, true, world),
  'double_signature_certify_first[annotate]': (world) => certifiedFirst(3, false, world),
  'double_signature_certify_first[annotate-tagged]': (world) => certifiedFirst(3, true, world),
  simple_sign_with_separate_annot: ({ ana }) => {
    const draft = new Draft(document());
    const { field, widget } = draft.separateField('Sig1', '[20 20 80 40]');
    return draft.entries(widget, `/AP<</N ${draft.add(look('0 0 60 20 re f'))} 0 R>>`).sign(field, ana);
  },
  double_sign_with_separate_annot: async ({ ana, rui }) => {
    const one = new Draft(document());
    const first = one.separateField('Sig1', '[20 20 80 40]');
    const two = new Draft(await one.entries(first.widget, `/AP<</N ${one.add(look('0 0 60 20 re f'))} 0 R>>`).sign(first.field, ana));
    const second = two.separateField('Sig2', '[20 120 80 140]');
    return two.entries(second.widget, `/AP<</N ${two.add(look('0 0 60 20 re f'))} 0 R>>`).sign(second.field, rui);
  },
  create_deep_sig_field: ({ ana }) => {
    const draft = new Draft(document({ fields: 1, text: 'group' }));
    const field = draft.add('<</Type/Annot/Subtype/Widget/FT/Sig/T(NewSig)/Parent 11 0 R/F 132/P 3 0 R/Rect[0 0 0 0]>>');
    draft.annotation(field, no.page);
    return draft.replace(no.group, '10 0 R]', `10 0 R ${field} 0 R]`).sign(field, ana);
  },
  create_multi_deep_sig_field: ({ ana }) => {
    const draft = new Draft(document());
    const top = draft.listed(draft.add('<</T(TextInput)>>'));
    const sigs = draft.add(`<</T(Sigs)/Parent ${top} 0 R>>`);
    const blah = draft.add(`<</T(Blah)/Parent ${sigs} 0 R>>`);
    const field = draft.add(`<</Type/Annot/Subtype/Widget/FT/Sig/T(NewSig)/Parent ${blah} 0 R/F 132/P 3 0 R/Rect[0 0 0 0]>>`);
    draft.annotation(field, no.page);
    draft.entries(top, `/Kids[${sigs} 0 R]`).entries(sigs, `/Kids[${blah} 0 R]`).entries(blah, `/Kids[${field} 0 R]`);
    return draft.sign(field, ana);
  },
  skip_diff_scenario_1: async ({ ana, rui }) => new Draft(await signedOnce(ana, {}, 1)).signNew('SigNew', rui),
  fieldmdp_include_does_not_lock_field_with_shared_name_prefix: async ({ ana, rui }) => {
    const draft = new Draft(document());
    const field = draft.signatureField('Signature1');
    draft.entries(field, '/Lock<</Type/SigFieldLock/Action/Include/Fields[(Signature1)]>>');
    return new Draft(await draft.sign(field, ana, { lock: '/Action/Include/Fields[(Signature1)]' })).signNew('Signature10', rui);
  },
  maliciously_recycled_sig_add_visible_field_approval: async ({ ana }) => recycled(await signedOnce(ana, { fields: 1 }), firstSignature),
  recycled_phantom_sig_add_visible_field_approval: async ({ ana, rui }) => {
    const phantom = await new Draft(document({ fields: 1 })).signNowhere(rui);
    return recycled(await new Draft(phantom).sign(no.sig1, ana), firstSignature);
  },
  diff_analysis_add_valid_type_entry: async ({ ana, rui }) => {
    const untyped = { [no.sig2]: '<</Subtype/Widget/FT/Sig/T(Sig2)/F 4/P 3 0 R/Rect[150 10 290 70]>>' };
    return new Draft(await signedOnce(ana, { fields: 2, objects: untyped })).entries(no.sig2, '/Type/Annot').sign(no.sig2, rui);
  },
  diff_analysis_add_invalid_type_entry: async ({ ana, rui }) => {
    const untyped = { [no.sig2]: '<</Subtype/Widget/FT/Sig/T(Sig2)/F 4/P 3 0 R/Rect[150 10 290 70]>>' };
    return new Draft(await signedOnce(ana, { fields: 2, objects: untyped })).entries(no.sig2, '/Type/Foo').sign(no.sig2, rui);
  },
  diff_analysis_modify_type_entry: async ({ ana, rui }) =>
    new Draft(await signedOnce(ana, { fields: 2 })).replace(no.sig2, '/Type/Annot', '/Type/Foo').sign(no.sig2, rui),
  diff_analysis_remove_type_entry: async ({ ana, rui }) =>
    new Draft(await signedOnce(ana, { fields: 2 })).replace(no.sig2, '/Type/Annot', '').sign(no.sig2, rui),
};
