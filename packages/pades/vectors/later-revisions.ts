import type { Indication, ReasonCode } from '../src/verify/report.ts';

/**
 * What pyHanko says of everything that came after a signature. `BEYOND`: form filling where DocMDP permits less. `BROKEN`: not what
 * was signed. `UNREADABLE`: it gives up.
 */
export type ModificationLevel =
  | 'NONE'
  | 'LTA_UPDATES'
  | 'FORM_FILLING'
  | 'ANNOTATIONS'
  | 'OTHER'
  | 'BEYOND'
  | 'BROKEN'
  | 'UNREADABLE';

/** Our answer: indication, reasons, and what later revisions did (`level/kind`). */
export type RevisionAnswer = readonly [indication: Indication, reasons: readonly ReasonCode[], changes: readonly string[]];

/** pyHanko's level, our answer, and why we pass what it does not, or do not pass what it does. */
export type RevisionRow = readonly [level: ModificationLevel, answer: RevisionAnswer, argued?: string];

function passed(...changes: string[]): RevisionAnswer {
  return ['TOTAL-PASSED', [], changes];
}

function changed(...changes: string[]): RevisionAnswer {
  return ['TOTAL-FAILED', ['CHANGED_AFTER_SIGNATURE'], changes];
}

const proofsProveThemselves =
  'Nothing of a DSS is shown, and each proof in it is signed by its own maker: whoever takes one away takes a level away and says nothing.';
const nullIsNothing = 'An entry whose value is null is no entry (ISO 32000-2 §7.3.9), and a name that nobody knows is read by nobody: the DSS is empty.';
const nobodysObject = 'Nothing that was signed refers to the object that is written over: what it says now, only the DSS says.';
const streamBesideTable =
  'A cross-reference stream beside the table is followed by some readers and not by others: behind a signature it is a change (pyHanko by default does not read the file at all; asked to be lenient, it passes it).';
const signedAsItIs =
  'The tree ran in a circle when it was signed, and is what it was: no reader sees another document (pyHanko gives up on any circle).';

/**
 * What pyHanko's own tests of later changes (its 0.38, `test_diff_analysis.py`, `test_pades.py`) expect, by the test's name and
 * parameter and by the field that signed, and what we answer; the files are built in `src/testing/revisions`. Everybody in them is
 * trusted. `npm run interop` has pyHanko itself judge the same files. Left out: tests of its inner functions, of files that
 * are published with it, of a file with a password, and of signing refused.
 */
export const laterRevisions: Readonly<Record<string, Readonly<Record<string, RevisionRow>>>> = {
  'double_sig_add_field[none]': { Sig1: ['FORM_FILLING', passed('archive/metadata', 'fill/signature-field-added')], SigNew: ['NONE', passed()] },
  'double_sig_add_field[stream]': { Sig1: ['FORM_FILLING', passed('archive/metadata', 'fill/signature-field-added')], SigNew: ['NONE', passed()] },
  'double_sig_add_field[one]': { Sig1: ['FORM_FILLING', passed('archive/metadata', 'fill/signature-field-added')], SigNew: ['NONE', passed()] },
  'double_sig_add_field[two-pages]': { Sig1: ['FORM_FILLING', passed('archive/metadata', 'fill/signature-field-added')], SigNew: ['NONE', passed()] },
  double_sig_different_pages: { Sig1: ['FORM_FILLING', passed('fill/signature-field-added', 'archive/metadata')], SigNew: ['LTA_UPDATES', passed('archive/metadata')] },
  double_sig_create_deep_field_post_sign: { Sig1: ['OTHER', changed('forbidden/field-altered', 'forbidden/signature-field-added')], 'NewSigs.NewSig2': ['NONE', passed()] },
  double_sig_fill_deep_field_post_sign: { Sig1: ['FORM_FILLING', passed('fill/field-signed')], 'NewSigs.NewSig1': ['NONE', passed()] },
  no_field_type: { Sig1: ['OTHER', changed('fill/signature-field-added', 'forbidden/field-added')], NewSig: ['NONE', passed()] },
  double_sig_add_field_annots_indirect: { Sig1: ['FORM_FILLING', passed('fill/signature-field-added')], SigNew: ['NONE', passed()] },
  double_sig_add_visible_field_approval: { Sig1: ['FORM_FILLING', passed('fill/signature-field-added')], SigNew: ['NONE', passed()] },
  double_sig_add_visible_field_certify: { Sig1: ['OTHER', ['INDETERMINATE', ['BOX_ADDED_AFTER_CERTIFICATION'], ['fill/signature-field-added']]], SigNew: ['NONE', passed()] },
  'double_signature_certify_first[fill]': { Sig1: ['FORM_FILLING', passed('fill/field-signed')], Sig2: ['NONE', passed()] },
  'double_signature_certify_first[fill-tagged]': { Sig1: ['FORM_FILLING', passed('fill/field-signed')], Sig2: ['NONE', passed()] },
  'double_signature_certify_first[annotate]': { Sig1: ['FORM_FILLING', passed('fill/field-signed')], Sig2: ['NONE', passed()] },
  'double_signature_certify_first[annotate-tagged]': { Sig1: ['FORM_FILLING', passed('fill/field-signed')], Sig2: ['NONE', passed()] },
  simple_sign_with_separate_annot: { Sig1: ['NONE', passed()] },
  double_sign_with_separate_annot: { Sig1: ['FORM_FILLING', passed('fill/signature-field-added')], Sig2: ['NONE', passed()] },
  create_deep_sig_field: { 'TextInput.NewSig': ['NONE', passed()] },
  create_multi_deep_sig_field: { 'TextInput.Sigs.Blah.NewSig': ['NONE', passed()] },
  skip_diff_scenario_1: { Sig1: ['BEYOND', changed('fill/signature-field-added')], SigNew: ['NONE', passed()] },
  fieldmdp_include_does_not_lock_field_with_shared_name_prefix: { Signature1: ['FORM_FILLING', passed('fill/signature-field-added')], Signature10: ['NONE', passed()] },
  maliciously_recycled_sig_add_visible_field_approval: { EvilSig: ['OTHER', changed('forbidden/signature-field-added')] },
  recycled_phantom_sig_add_visible_field_approval: { EvilSig: ['OTHER', changed('fill/field-signed', 'forbidden/signature-field-added')], Sig1: ['OTHER', changed('forbidden/signature-field-added')] },
  diff_analysis_add_valid_type_entry: { Sig1: ['FORM_FILLING', passed('fill/field-signed')], Sig2: ['NONE', passed()] },
  diff_analysis_add_invalid_type_entry: { Sig1: ['OTHER', changed('forbidden/field-altered')], Sig2: ['NONE', passed()] },
  diff_analysis_modify_type_entry: { Sig1: ['OTHER', changed('forbidden/field-altered')], Sig2: ['NONE', passed()] },
  diff_analysis_remove_type_entry: { Sig1: ['OTHER', changed('forbidden/field-altered')], Sig2: ['NONE', passed()] },
  form_field_postsign_fill: { Sig1: ['FORM_FILLING', passed('fill/field-filled')] },
  form_field_postsign_modify: { Sig1: ['FORM_FILLING', passed('fill/field-filled')] },
  'form_field_in_group_postsign_fill[group]': { Sig1: ['FORM_FILLING', passed('fill/field-filled')] },
  'form_field_in_group_postsign_fill[group-with-indirect-kids]': { Sig1: ['FORM_FILLING', passed('fill/field-filled')] },
  'form_field_in_group_postsign_fill_other_field[group]': { Sig1: ['FORM_FILLING', passed('fill/field-filled')] },
  'form_field_in_group_postsign_fill_other_field[group-with-indirect-kids]': { Sig1: ['FORM_FILLING', passed('fill/field-filled')] },
  'form_field_in_group_postsign_modify[group]': { Sig1: ['FORM_FILLING', passed('fill/field-filled')] },
  'form_field_in_group_postsign_modify[group-with-indirect-kids]': { Sig1: ['FORM_FILLING', passed('fill/field-filled')] },
  form_field_ft_tamper: { Sig1: ['OTHER', changed('forbidden/field-altered')] },
  'form_field_kids_tamper[name]': { Sig1: ['OTHER', changed('forbidden/field-altered')] },
  'form_field_kids_tamper[empty]': { Sig1: ['OTHER', changed('forbidden/field-altered')] },
  'form_field_kids_tamper[null]': { Sig1: ['OTHER', changed('forbidden/field-altered')] },
  'form_field_kids_tamper[null-object]': { Sig1: ['OTHER', changed('forbidden/field-altered')] },
  'pages_kids_tamper[name]': { Sig1: ['OTHER', changed('fill/signature-field-added', 'forbidden/page-tree')] },
  'pages_kids_tamper[empty]': { Sig1: ['OTHER', changed('fill/signature-field-added', 'forbidden/page-tree')] },
  'pages_kids_tamper[null]': { Sig1: ['OTHER', changed('fill/signature-field-added', 'forbidden/page-tree')] },
  'pages_kids_tamper[null-object]': { Sig1: ['OTHER', changed('fill/signature-field-added', 'forbidden/page-tree')] },
  'pages_kids_tamper[missing]': { Sig1: ['OTHER', changed('fill/signature-field-added', 'forbidden/page-tree')] },
  form_field_structure_modification: { Sig1: ['OTHER', changed('forbidden/field-added')] },
  form_field_ap_null: { Sig1: ['OTHER', changed('fill/field-signed', 'forbidden/appearance-replaced')], Sig2: ['OTHER', changed('forbidden/appearance-replaced')] },
  'form_field_manipulate_names[null]': { Sig1: ['OTHER', changed('forbidden/field-altered')] },
  'form_field_manipulate_names[duplicate]': { Sig1: ['OTHER', changed('forbidden/field-altered')] },
  'form_field_manipulate_names[period]': { Sig1: ['OTHER', changed('forbidden/field-altered')] },
  'form_field_in_group_locked_postsign_modify_failure[0-include-first]': { SigNew: ['OTHER', changed('fill/field-filled')] },
  'form_field_in_group_locked_postsign_modify_failure[1-include-first]': { SigNew: ['OTHER', changed('fill/field-filled')] },
  'form_field_in_group_locked_postsign_modify_failure[0-exclude-second]': { SigNew: ['OTHER', changed('fill/field-filled')] },
  'form_field_in_group_locked_postsign_modify_failure[1-exclude-second]': { SigNew: ['OTHER', changed('fill/field-filled')] },
  'form_field_in_group_locked_postsign_modify_failure[0-include-group]': { SigNew: ['OTHER', changed('fill/field-filled')] },
  'form_field_in_group_locked_postsign_modify_failure[1-include-group]': { SigNew: ['OTHER', changed('fill/field-filled')] },
  'form_field_in_group_locked_postsign_modify_failure[0-all]': { SigNew: ['OTHER', changed('fill/field-filled')] },
  'form_field_in_group_locked_postsign_modify_failure[1-all]': { SigNew: ['OTHER', changed('fill/field-filled')] },
  'form_field_in_group_locked_postsign_modify_failure[0-exclude-signature]': { SigNew: ['OTHER', changed('fill/field-filled')] },
  'form_field_in_group_locked_postsign_modify_failure[1-exclude-signature]': { SigNew: ['OTHER', changed('fill/field-filled')] },
  'form_field_in_group_locked_postsign_modify_success[0-include-first]': { SigNew: ['FORM_FILLING', passed('fill/field-filled')] },
  'form_field_in_group_locked_postsign_modify_success[1-include-first]': { SigNew: ['FORM_FILLING', passed('fill/field-filled')] },
  'form_field_in_group_locked_postsign_modify_success[0-exclude-second]': { SigNew: ['FORM_FILLING', passed('fill/field-filled')] },
  'form_field_in_group_locked_postsign_modify_success[1-exclude-second]': { SigNew: ['FORM_FILLING', passed('fill/field-filled')] },
  'form_field_in_group_locked_postsign_modify_success[0-exclude-group]': { SigNew: ['FORM_FILLING', passed('fill/field-filled')] },
  'form_field_in_group_locked_postsign_modify_success[1-exclude-group]': { SigNew: ['FORM_FILLING', passed('fill/field-filled')] },
  'form_field_in_group_locked_postsign_modify_success[0-include-signature]': { SigNew: ['FORM_FILLING', passed('fill/field-filled')] },
  'form_field_in_group_locked_postsign_modify_success[1-include-signature]': { SigNew: ['FORM_FILLING', passed('fill/field-filled')] },
  form_field_postsign_fill_pades_lt: { Sig1: ['FORM_FILLING', passed('archive/validation-data', 'archive/metadata', 'fill/field-filled')] },
  form_field_postsign_modify_pades_lt: { Sig1: ['FORM_FILLING', passed('archive/validation-data', 'archive/metadata', 'fill/field-filled')] },
  fieldmdp_all_pades_lta: { SigNew: ['LTA_UPDATES', passed('archive/validation-data', 'archive/metadata', 'archive/document-timestamp')], Timestamp1: ['NONE', passed()] },
  inline_ap_pades_lta: { Sig1: ['LTA_UPDATES', passed('archive/validation-data', 'archive/metadata', 'archive/document-timestamp')], Timestamp1: ['NONE', passed()] },
  'button_appearance_streams_pades_lta[direct]': { Sig1: ['LTA_UPDATES', passed('archive/validation-data', 'archive/metadata', 'archive/document-timestamp')], Timestamp1: ['NONE', passed()] },
  'button_appearance_streams_pades_lta[indirect]': { Sig1: ['LTA_UPDATES', passed('archive/validation-data', 'archive/metadata', 'archive/document-timestamp')], Timestamp1: ['NONE', passed()] },
  'pades_double_sign[approved]': { Sig1: ['FORM_FILLING', passed('archive/validation-data', 'archive/metadata', 'fill/field-signed')], Sig2: ['LTA_UPDATES', passed('archive/validation-data')] },
  'pades_double_sign[certified]': { Sig1: ['FORM_FILLING', passed('archive/validation-data', 'archive/metadata', 'fill/field-signed')], Sig2: ['LTA_UPDATES', passed('archive/validation-data')] },
  pades_double_sign_delete_dss: { Sig1: ['FORM_FILLING', passed('archive/validation-data', 'archive/metadata', 'fill/field-signed')], Sig2: ['OTHER', passed('archive/validation-data'), proofsProveThemselves] },
  pades_double_sign_delete_vri: { Sig1: ['FORM_FILLING', passed('archive/validation-data', 'archive/metadata', 'fill/field-signed')], Sig2: ['OTHER', passed('archive/validation-data'), proofsProveThemselves] },
  pades_double_sign_delete_entry_in_vri: { Sig1: ['FORM_FILLING', passed('archive/validation-data', 'archive/metadata', 'fill/field-signed')], Sig2: ['OTHER', passed('archive/validation-data'), proofsProveThemselves] },
  'pades_vri_allow_ts_addition[indirect]': { Sig1: ['FORM_FILLING', passed('archive/validation-data', 'archive/metadata', 'fill/field-signed')], Sig2: ['LTA_UPDATES', passed('archive/validation-data')] },
  'pades_vri_allow_ts_addition[direct]': { Sig1: ['FORM_FILLING', passed('archive/validation-data', 'archive/metadata', 'fill/field-signed')], Sig2: ['LTA_UPDATES', passed('archive/validation-data')] },
  pades_dss_object_clobber: { Sig1: ['OTHER', passed('archive/validation-data', 'archive/metadata'), nobodysObject] },
  'pades_dss_object_typing_tamper[string]': { Sig1: ['OTHER', changed('archive/validation-data', 'archive/metadata', 'forbidden/catalog')] },
  'pades_dss_object_typing_tamper[unknown-entry]': { Sig1: ['OTHER', passed('archive/validation-data', 'archive/metadata'), nullIsNothing] },
  'pades_dss_object_typing_tamper[null-certificates]': { Sig1: ['OTHER', passed('archive/validation-data', 'archive/metadata'), nullIsNothing] },
  'pades_dss_object_typing_tamper[null-vri]': { Sig1: ['OTHER', passed('archive/validation-data', 'archive/metadata'), nullIsNothing] },
  'pades_dss_object_typing_tamper[vri-with-a-name]': { Sig1: ['OTHER', passed('archive/validation-data', 'archive/metadata'), nullIsNothing] },
  'pades_dss_object_typing_tamper[null-vri-entry]': { Sig1: ['OTHER', passed('archive/validation-data', 'archive/metadata'), nullIsNothing] },
  'pades_dss_object_typing_tamper[vri-entry-unknown]': { Sig1: ['OTHER', passed('archive/validation-data', 'archive/metadata'), nullIsNothing] },
  'pades_dss_object_typing_tamper[vri-entry-null-ocsp]': { Sig1: ['OTHER', passed('archive/validation-data', 'archive/metadata'), nullIsNothing] },
  pades_sign_twice_indirect_arrs: { Sig1: ['FORM_FILLING', passed('archive/validation-data', 'archive/metadata', 'fill/field-signed')], Sig2: ['LTA_UPDATES', passed('archive/validation-data')] },
  pades_sign_update_dss: { Sig1: ['FORM_FILLING', passed('archive/validation-data', 'archive/metadata', 'fill/field-signed')], Sig2: ['LTA_UPDATES', passed('archive/validation-data')] },
  indir_ref_in_sigref_dict: { Sig1: ['LTA_UPDATES', passed('archive/validation-data', 'archive/metadata', 'archive/document-timestamp')], Timestamp1: ['NONE', passed()] },
  pades_revinfo_live: { Sig1: ['LTA_UPDATES', passed('archive/validation-data', 'archive/metadata')] },
  pades_revinfo_live_update: { Sig1: ['LTA_UPDATES', passed('archive/validation-data', 'archive/metadata', 'archive/document-timestamp')], Timestamp1: ['LTA_UPDATES', passed('archive/validation-data', 'archive/document-timestamp')], Timestamp2: ['NONE', passed()] },
  pades_lta_sign_twice: { Sig1: ['FORM_FILLING', passed('archive/validation-data', 'archive/metadata', 'archive/document-timestamp', 'fill/field-signed')], Sig2: ['LTA_UPDATES', passed('archive/validation-data', 'archive/document-timestamp')], Timestamp1: ['FORM_FILLING', passed('fill/field-signed', 'archive/validation-data', 'archive/document-timestamp')], Timestamp2: ['NONE', passed()] },
  cross_linked_pages_do_not_blow_up_paths: { Sig1: ['LTA_UPDATES', passed('archive/metadata')] },
  page_tree_not_reentered_via_foreign_kids: { Sig1: ['LTA_UPDATES', passed('archive/metadata')] },
  page_tree_root_not_reentered_from_outside: { Sig1: ['LTA_UPDATES', passed('archive/metadata')] },
  page_tree_direct_root_node: { Sig1: ['LTA_UPDATES', passed('archive/metadata')] },
  no_changes_policy: { Sig1: ['LTA_UPDATES', passed('archive/metadata')] },
  metadata_update: { Sig1: ['LTA_UPDATES', passed('archive/metadata')] },
  'bogus_metadata_manipulation[new-stream]': { Sig1: ['OTHER', changed('forbidden/catalog')] },
  'bogus_metadata_manipulation[in-place]': { Sig1: ['OTHER', changed('forbidden/object')] },
  'bogus_metadata_manipulation[null]': { Sig1: ['OTHER', changed('forbidden/catalog')] },
  'bogus_metadata_manipulation[null-object]': { Sig1: ['OTHER', changed('forbidden/catalog')] },
  'dangerous_xml_metadata_manipulation[cyclic]': { Sig1: ['OTHER', changed('forbidden/catalog')] },
  'dangerous_xml_metadata_manipulation[dtd]': { Sig1: ['OTHER', changed('forbidden/catalog')] },
  'dangerous_xml_metadata_manipulation[external]': { Sig1: ['OTHER', changed('forbidden/catalog')] },
  'dangerous_xml_metadata_manipulation[external-file]': { Sig1: ['OTHER', changed('forbidden/catalog')] },
  'dangerous_xml_metadata_manipulation[quadratic]': { Sig1: ['OTHER', changed('forbidden/catalog')] },
  'dangerous_xml_metadata_manipulation[simple-namespace]': { Sig1: ['OTHER', changed('forbidden/catalog')] },
  'dangerous_xml_metadata_manipulation[simple]': { Sig1: ['OTHER', changed('forbidden/catalog')] },
  'dangerous_xml_metadata_manipulation[bomb]': { Sig1: ['OTHER', changed('forbidden/catalog')] },
  'dangerous_xml_metadata_manipulation[bomb-in-attribute]': { Sig1: ['OTHER', changed('forbidden/catalog')] },
  'dangerous_xml_metadata_manipulation[harmless-entity]': { Sig1: ['OTHER', changed('forbidden/catalog')] },
  'allow_identical_object_replacement[array]': { Sig1: ['LTA_UPDATES', passed()] },
  'allow_identical_object_replacement[dictionary]': { Sig1: ['LTA_UPDATES', passed()] },
  'allow_identical_object_replacement[array-of-everything]': { Sig1: ['LTA_UPDATES', passed()] },
  'allow_identical_object_replacement[dictionary-with-entries]': { Sig1: ['LTA_UPDATES', passed()] },
  'allow_identical_object_replacement[stream]': { Sig1: ['LTA_UPDATES', passed()] },
  'allow_identical_object_replacement[dictionary-with-reference]': { Sig1: ['LTA_UPDATES', passed()] },
  stream_and_dict_not_considered_identical: { Sig1: ['OTHER', changed('forbidden/object')] },
  allow_identical_object_replacement_nonsensical_obj_nonstrict: { Sig1: ['LTA_UPDATES', passed()] },
  orphan: { Sig1: ['LTA_UPDATES', passed()] },
  sign_and_update_with_orphaned_obj: { Sig1: ['LTA_UPDATES', passed()] },
  sign_and_update_with_orphaned_obj_and_other_upd: { Sig1: ['OTHER', changed('forbidden/catalog')] },
  'diff_analysis_add_extensions_dict[direct]': { Sig1: ['LTA_UPDATES', passed('archive/metadata')] },
  'diff_analysis_add_extensions_dict[indirect]': { Sig1: ['LTA_UPDATES', passed('archive/metadata')] },
  'diff_analysis_add_extensions_dict[update-direct]': { Sig1: ['LTA_UPDATES', passed('archive/metadata')] },
  'diff_analysis_add_extensions_dict[update-indirect]': { Sig1: ['LTA_UPDATES', passed('archive/metadata')] },
  diff_analysis_update_indirect_extensions_not_all_paths: { Sig1: ['OTHER', changed('forbidden/object')] },
  sign_with_hybrid: { Sig1: ['LTA_UPDATES', changed('forbidden/cross-reference', 'archive/metadata'), streamBesideTable] },
  sign_with_hybrid_sneaky_edit: { Sig1: ['UNREADABLE', changed('forbidden/cross-reference', 'forbidden/hidden-object-revealed', 'archive/metadata', 'forbidden/object')] },
  sign_reject_freed: { Sig1: ['OTHER', changed('forbidden/object')] },
  delete_signature: { Sig2: ['OTHER', changed('forbidden/field-altered')] },
  tamper_sig_obj: { Sig1: ['OTHER', ['TOTAL-FAILED', ['SIGNATURE_DICTIONARY_AMBIGUOUS'], []]] },
  rogue_backreferences: { Sig1: ['OTHER', changed('fill/signature-field-added', 'forbidden/page-content')] },
  not_all_paths_cleared: { Sig1: ['OTHER', changed('fill/signature-field-added', 'forbidden/object')], SigNew: ['NONE', passed()] },
  delete_sig_annot: { Sig1: ['OTHER', changed('forbidden/field-removed')] },
  double_sig_delete_old_sig_annot: { Sig1: ['OTHER', changed('fill/signature-field-added', 'forbidden/field-removed')], SigNew: ['NONE', passed()] },
  double_sig_different_pages_delete_old_annot: { Sig1: ['OTHER', changed('fill/signature-field-added', 'forbidden/field-removed')], SigNew: ['NONE', passed()] },
  skip_diff_scenario_2: { Sig1: ['OTHER', changed('forbidden/page-content')] },
  diff_analysis_circular_page_tree: { Signed: ['UNREADABLE', passed(), signedAsItIs] },
  diff_analysis_circular_structure_tree: { Signed: ['UNREADABLE', passed(), signedAsItIs] },
  standalone_document_timestamp_tampered: { Sig1: ['BROKEN', ['TOTAL-FAILED', ['DIGEST_MISMATCH'], []]] },
};
