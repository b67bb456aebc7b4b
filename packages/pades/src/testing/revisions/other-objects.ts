import { latin1Text } from '../../pdf/objects.ts';
import type { RevisionCase, RevisionCases } from './cases.ts';
import { document, no, xmp } from './documents.ts';
import type { DocumentParts } from './documents.ts';
import { Draft } from './draft.ts';
import { signedOnce, withInformation } from './second-signatures.ts';
import { streamText } from '../attacks/write-revision.ts';

/** `Sig1` signed, certified or not, then edited. */
function afterwards(parts: DocumentParts, edit: (draft: Draft) => unknown, certify?: 1 | 2 | 3): RevisionCase {
  return async ({ ana }) => {
    const draft = new Draft(await signedOnce(ana, parts, certify));
    edit(draft);
    return draft.write();
  };
}

const informed: (parts: DocumentParts, certify?: 1 | 2 | 3) => RevisionCase =
  (parts, certify) =>
  async ({ ana }) => {
    const draft = new Draft(await signedOnce(ana, parts, certify));
    return draft.write({ trailer: withInformation(draft) });
  };

/** Pages that lead to one another by their links, or by entries that nobody reads. */
function linked(count: number, entries: (page: number, all: readonly number[]) => string): DocumentParts {
  const pages = Array.from({ length: count }, (_, index) => 40 + index);
  const kids = pages.map((num) => `${num} 0 R`).join(' ');
  const objects = Object.fromEntries(
    pages.map((num) => [num, `<</Type/Page/Parent 2 0 R/Resources<</Font<</F1 13 0 R>>>>/Contents 4 0 R${entries(num, pages)}>>`]),
  );
  return {
    objects: {
      ...objects,
      [no.pages]: `<</Type/Pages/Kids[3 0 R ${kids}]/Count ${count + 1}/MediaBox[0 0 300 144]>>`,
    },
  };
}

const links = linked(8, (page, all) => {
  const others = all.filter((other) => other !== page);
  return `/Annots[${others.map((other) => `<</Type/Annot/Subtype/Link/Rect[0 0 10 10]/A<</S/GoTo/D[${other} 0 R/Fit]>>>>`).join('')}]`;
});

const foreignKids = linked(
  6,
  (page, all) =>
    `/Foo<</Kids[${all
      .filter((other) => other !== page)
      .map((num) => `${num} 0 R`)
      .join(' ')}]>>`,
);

/** What is no metadata: none of it may be what a signed file says of itself. */
const bogusMetadata: Readonly<Record<string, (draft: Draft) => unknown>> = {
  'bogus_metadata_manipulation[new-stream]': (draft) =>
    draft.replace(no.catalog, '/Metadata 14 0 R', `/Metadata ${draft.add(streamText('This is bogus data, yay!'))} 0 R`),
  'bogus_metadata_manipulation[in-place]': (draft) =>
    draft.set(no.metadata, streamText('This is bogus data, yay!', '/Type/Metadata/Subtype/XML')),
  'bogus_metadata_manipulation[null]': (draft) => draft.replace(no.catalog, '/Metadata 14 0 R', '/Metadata null'),
  'bogus_metadata_manipulation[null-object]': (draft) =>
    draft.replace(no.catalog, '/Metadata 14 0 R', `/Metadata ${draft.add('null')} 0 R`),
};

const laughs = Array.from({ length: 6 }, (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`).join('');

/** XML that is no XMP, or that nobody should be made to read. */
const dangerousXml = {
  cyclic: '<!DOCTYPE x [<!ENTITY a "&b;"><!ENTITY b "&a;">]><x>&a;</x>',
  dtd: '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://example.com/xhtml1.dtd"><html><head/><body/></html>',
  external: '<!DOCTYPE x [<!ENTITY e SYSTEM "http://example.com/e.xml">]><x>&e;</x>',
  'external-file': '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]><x>&e;</x>',
  quadratic: `<!DOCTYPE x [<!ENTITY a "${'x'.repeat(500)}">]><x>${'&a;'.repeat(500)}</x>`,
  'simple-namespace': '<root xmlns="namespace"><element key="value">text</element><empty/></root>',
  simple: '<root><element key="value">text</element><empty/></root>',
  bomb: `<!DOCTYPE x [<!ENTITY l0 "ha">${laughs}]><x>&l6;</x>`,
  'bomb-in-attribute': `<!DOCTYPE x [<!ENTITY l0 "ha">${laughs}]><x a="&l6;"/>`,
  'harmless-entity':
    '<!DOCTYPE x [<!ENTITY a "example">]><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:pdf="http://ns.adobe.com/pdf/1.3/"><pdf:Keywords>&a;</pdf:Keywords></rdf:Description></rdf:RDF>',
};

const metadataCases: [string, RevisionCase][] = [
  ...Object.entries(bogusMetadata).map(([name, edit]): [string, RevisionCase] => [name, afterwards({ fields: 2, metadata: true }, edit)]),
  ...Object.entries(dangerousXml).map(([name, xml]): [string, RevisionCase] => [
    `dangerous_xml_metadata_manipulation[${name}]`,
    afterwards({ fields: 2, metadata: true }, (draft) =>
      draft.replace(no.catalog, '/Metadata 14 0 R', `/Metadata ${draft.add(streamText(xml, '/Type/Metadata/Subtype/XML'))} 0 R`),
    ),
  ]),
];

const written = {
  array: '[]',
  dictionary: '<<>>',
  'array-of-everything': '[1 0.61243 <31323334> null true (1234) /Blah]',
  'dictionary-with-entries': '<</Foo/Bar/Baz(Quux)>>',
  stream: streamText('hello world', '/Foo/Bar/Baz(Quux)'),
  'dictionary-with-reference': '<</Foo/Bar/Baz 1 0 R>>',
};

const writtenAgain = Object.entries(written).map(([name, text]): [string, RevisionCase] => [
  `allow_identical_object_replacement[${name}]`,
  afterwards({ fields: 1, objects: { 40: text }, catalog: '/Foo 40 0 R' }, (draft) => draft.set(40, text)),
]);

/** An entry of the catalog with extensions of developers. */
const extensions = '<</ADBE<</BaseVersion/1.7/ExtensionLevel 8>>>>';

/** Metadata, information, and objects beside the document. */
export const otherObjects: RevisionCases = {
  cross_linked_pages_do_not_blow_up_paths: informed(links, 1),
  page_tree_not_reentered_via_foreign_kids: informed(foreignKids),
  page_tree_root_not_reentered_from_outside: informed({ catalog: '/Foo 2 0 R' }),
  page_tree_direct_root_node: informed({
    objects: {
      [no.catalog]: '<</Type/Catalog/Pages<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 144]>>>>',
      [no.pages]: 'null',
      [no.page]: '<</Type/Page/Resources<</Font<</F1 13 0 R>>>>/Contents 4 0 R>>',
    },
  }),
  no_changes_policy: informed({ fields: 1 }, 2),
  metadata_update: afterwards({ fields: 1, metadata: true }, (draft) => draft.set(no.metadata, xmp('dois'))),
  ...Object.fromEntries(metadataCases),
  ...Object.fromEntries(writtenAgain),
  stream_and_dict_not_considered_identical: afterwards(
    { fields: 1, objects: { 40: streamText('hello', '/Foo/Bar/Baz(Quux)') }, catalog: '/Foo 40 0 R' },
    (draft) => draft.set(40, '<</Foo/Bar/Baz(Quux)>>'),
  ),
  allow_identical_object_replacement_nonsensical_obj_nonstrict: afterwards(
    { fields: 1, objects: { 40: '<</Foo/Bar/Baz 91299 0 R>>' }, catalog: '/Foo 40 0 R' },
    (draft) => draft.set(40, '<</Foo/Bar/Baz 91299 0 R>>'),
  ),
  orphan: afterwards({ fields: 1 }, (draft) => draft.add('(Bleh)'), 1),
  sign_and_update_with_orphaned_obj: afterwards({}, (draft) => draft.add('(Hello there)')),
  sign_and_update_with_orphaned_obj_and_other_upd: afterwards({}, (draft) => {
    draft.add('(Hello there)');
    draft.entries(no.catalog, `/Blah ${draft.add('(Hello there too)')} 0 R`);
  }),
  'diff_analysis_add_extensions_dict[direct]': afterwards({ fields: 1 }, (draft) => draft.entries(no.catalog, `/Extensions${extensions}`)),
  'diff_analysis_add_extensions_dict[indirect]': afterwards({ fields: 1 }, (draft) =>
    draft.entries(no.catalog, `/Extensions ${draft.add(extensions)} 0 R`),
  ),
  'diff_analysis_add_extensions_dict[update-direct]': afterwards({ fields: 1, catalog: '/Extensions<<>>' }, (draft) =>
    draft.replace(no.catalog, '/Extensions<<>>', `/Extensions${extensions}`),
  ),
  'diff_analysis_add_extensions_dict[update-indirect]': afterwards(
    { fields: 1, catalog: '/Extensions 40 0 R', objects: { 40: '<<>>' } },
    (draft) => draft.set(40, extensions),
  ),
  diff_analysis_update_indirect_extensions_not_all_paths: afterwards(
    { fields: 1, catalog: '/Extensions 40 0 R/DontOverrideMe 40 0 R', objects: { 40: '<<>>' } },
    (draft) => draft.set(40, extensions),
  ),
  sign_with_hybrid: async ({ ana }) => hybrid(await signedOnce(ana, { fields: 1 }), ''),
  sign_with_hybrid_sneaky_edit: async ({ ana }) =>
    hybrid(await signedOnce(ana, { fields: 1, objects: { 40: '/Bleh' }, catalog: '/Bleh 40 0 R' }), ' 40 1'),
  sign_reject_freed: async ({ ana }) => {
    const signed = await signedOnce(ana, { fields: 1, objects: { 40: '(Hi there!)' }, catalog: '/Blah 40 0 R' });
    return new Draft(signed).write({ rows: { 40: 'free' } });
  },
};

/** An update with a cross-reference stream that names nothing, or a signed object, then a table that points to it. */
function hybrid(signed: Uint8Array, listed: string): Uint8Array {
  const draft = new Draft(signed);
  const information = withInformation(draft);
  const rows = listed === '' ? '' : '01000012 0000';
  const size = Math.max(...[...latin1Text(signed).matchAll(/\/Size\s+(\d+)/g)].map(([, text]) => Number(text)));
  const data = `00000000ffff${rows.replaceAll(' ', '')}>`;
  const index = `/Index[0 1${listed}]`;
  draft.add(`<</Type/XRef/W[1 3 2]${index}/Size ${size + 2}/Filter/ASCIIHexDecode/Length ${data.length}>>\nstream\n${data}\nendstream`);
  const once = draft.write({ trailer: information });
  const at = latin1Text(once).lastIndexOf(`${size + 1} 0 obj`);
  return new Draft(once).write({ trailer: `${information} /XRefStm ${at}`, rows: { 0: 'free' } });
}

/** A document whose tree runs in a circle: what must end. */
export const circular: Readonly<Record<'page-tree' | 'structure-tree', () => Uint8Array>> = {
  'page-tree': () => document({ objects: { [no.pages]: '<</Type/Pages/Kids[3 0 R 2 0 R]/Count 2/MediaBox[0 0 300 144]>>' } }),
  'structure-tree': () =>
    document({ fields: 1, tagged: true, objects: { [no.document]: '<</Type/StructElem/S/Document/P 15 0 R/K[17 0 R 18 0 R 16 0 R]>>' } }),
};
