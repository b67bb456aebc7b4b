import { at, contract, handMade, sign } from './bases.ts';
import { shownField } from './forgeries.ts';
import { evilContent } from './savings.ts';
import { family } from './variant.ts';
import { edit, objectText, revise, streamText, withEntries } from './write-revision.ts';

const own = contract();
const script = '<</S/JavaScript/JS(app.alert\\(1\\))>>';
const pageThree = '<</Type/Page/Parent 2 0 R/Resources 7 0 R/Contents 11 0 R>>';

/** What pages are painted with. */
export const resources = family('RESOURCES', {
  'dictionary-redefined': [
    'the resources name another form',
    ({ bases }) => edit(bases.table, at.resources, (text) => text.replace('/X1 10 0 R', '/X1 25 0 R')),
  ],
  'dictionary-grows': [
    'a page paints a name that its resources do not have, until they get it',
    async ({ world }) => {
      const base = await handMade(world, { objects: { [at.content]: streamText('BT /F1 24 Tf 60 700 Td (Valor) Tj ET /X9 Do') } });
      return edit(base, at.resources, (text) => text.replace('/X1 10 0 R', '/X1 10 0 R/X9 25 0 R'));
    },
  ],
  'default-font-shared-with-the-page': [
    'the fonts of the form are those of the page, which uses one that is not there yet',
    async ({ world }) => {
      const objects = {
        [at.content]: streamText('BT /F9 24 Tf 60 700 Td (Valor: 900,00) Tj ET'),
        [at.resources]: '<</Font 50 0 R/XObject<</X1 10 0 R>>>>',
        [at.form]: (own[at.form] ?? '').replace(/\/DR<<.*>>>>>>$/, '/DR<</Font 50 0 R>>>>'),
        50: '<</F1 5 0 R>>',
      };
      return revise(await handMade(world, { objects }), {
        objects: { 50: '<</F1 5 0 R/F9 51 0 R>>', 51: '<</Type/Font/Subtype/Type1/BaseFont/Symbol>>' },
      });
    },
  ],
  'form-x-object-redefined': [
    'a form the page paints',
    ({ bases }) =>
      revise(bases.table, { objects: { [at.image]: evilContent.replace('<<', '<</Type/XObject/Subtype/Form/BBox[0 0 595 842]') } }),
  ],
  'resources-copied-then-changed': [
    'the resources of a page get a new number, and after another signature another content',
    async ({ bases, world }) => {
      const copy = { objects: { [at.free]: objectText(bases.table, at.resources) } };
      const first = edit(bases.table, at.page, (text) => text.replace(/\/Resources 7 0 R/, `/Resources ${at.free} 0 R`), copy);
      return edit(await sign(first, world, 'rui'), at.free, (text) => text.replace('/X1 10 0 R', '/X1 25 0 R'));
    },
  ],
  'page-gets-own-resources': [
    'the page gets resources of its own',
    ({ bases }) => edit(bases.table, at.page, (text) => text.replace(/\/Resources 7 0 R/, '/Resources<</XObject<</X1 25 0 R>>>>')),
  ],
  'content-array': [
    'a further content stream',
    ({ bases }) => edit(bases.table, at.page, (text) => text.replace(/\/Contents 4 0 R/, '/Contents[4 0 R 11 0 R]')),
  ],
  'content-filter-added': [
    'a filter on the content, which then reads as nothing',
    ({ bases }) => edit(bases.table, at.content, (text) => text.replace('<<', '<</Filter/ASCIIHexDecode')),
  ],
  'content-from-a-file': [
    'the content comes from another file',
    ({ bases }) => edit(bases.table, at.content, (text) => text.replace('<<', '<</F(outro.txt)')),
  ],
  'default-font-replaced': [
    "the form's default font",
    ({ bases }) =>
      edit(bases.table, at.form, (text) => text.replace('/F1 5 0 R', `/F1 ${at.free} 0 R`), {
        objects: { [at.free]: '<</Type/Font/Subtype/Type1/BaseFont/Symbol>>' },
      }),
  ],
  'second-page-content': ['the second page', ({ bases }) => revise(bases.table, { objects: { [at.secondContent]: evilContent } })],
});

/** Forms: values, looks and nature of fields that nobody was asked to fill. */
export const form = family('FORM', {
  'read-only-value': [
    'the value of a read-only field',
    ({ bases }) => edit(bases.table, at.fixed, (text) => text.replace('30 dias', '300 dias')),
  ],
  'filled-box-of-a-signer': [
    "what a signer's box says",
    ({ bases }) => edit(bases.table, at.boxOfAna, (text) => text.replace('Assinado por ana', 'Assinado por rui')),
  ],
  'flags-read-only-lifted': [
    'read-only lifted, value changed',
    ({ bases }) => edit(bases.table, at.fixed, (text) => text.replace('/Ff 1', '/Ff 0').replace('30 dias', '300 dias')),
  ],
  'flags-password': [
    'a field whose value is shown as stars',
    ({ bases }) => edit(bases.table, at.open, (text) => withEntries(text, '/Ff 8192')),
  ],
  'flags-hidden': ['a field is hidden', ({ bases }) => edit(bases.table, at.fixed, (text) => text.replace('/F 4', '/F 2'))],
  'flags-not-printed': [
    'a field that is shown and no longer printed',
    ({ bases }) => edit(bases.table, at.fixed, (text) => text.replace('/F 4', '/F 0')),
  ],
  'flags-no-zoom': [
    'a field that keeps its size while the page is zoomed',
    ({ bases }) => edit(bases.table, at.fixed, (text) => text.replace('/F 4', '/F 12')),
  ],
  'flags-no-view': [
    "the attacked signature's box is hidden",
    ({ bases }) => edit(bases.table, at.ana, (text) => text.replace(/\/F 4\b/, '/F 36')),
  ],
  'rectangle-moved': [
    'a field moves over another text',
    ({ bases }) => edit(bases.table, at.fixed, (text) => text.replace('/Rect[60 450 210 490]', '/Rect[60 690 210 730]')),
  ],
  'signature-box-moved': [
    'the box of the attacked signature moves',
    ({ bases }) => edit(bases.table, at.ana, (text) => text.replace(/\/Rect\s*\[60 80 210 155\]/, '/Rect[60 690 210 765]')),
  ],
  'max-length': ['another MaxLen', ({ bases }) => edit(bases.table, at.open, (text) => text.replace('/MaxLen 40', '/MaxLen 4'))],
  'kids-added': [
    'a field gets a second widget over the content',
    ({ bases }) =>
      edit(bases.table, at.fixed, (text) => withEntries(text, '/Kids[60 0 R]'), {
        objects: { 60: '<</Type/Annot/Subtype/Widget/Parent 24 0 R/Rect[50 690 450 750]/F 4/AP<</N 25 0 R>>>>' },
      }),
  ],
  'kids-array-in-place': [
    'the list of widgets is an object of its own, and gets one more',
    async ({ world }) => {
      const parent = '<</FT/Tx/T(fixo)/Ff 1/V(Prazo: 30 dias)/Kids 50 0 R>>';
      const widget = '<</Type/Annot/Subtype/Widget/Parent 24 0 R/P 3 0 R/F 4/Rect[60 450 210 490]/AP<</N 25 0 R>>>>';
      const objects = { [at.fixed]: parent, 50: '[51 0 R]', 51: widget, [at.page]: (own[at.page] ?? '').replace('24 0 R', '51 0 R') };
      const base = await handMade(world, { objects });
      const page = objectText(base, at.page).replace('51 0 R', '51 0 R 60 0 R');
      return revise(base, { objects: { 50: '[51 0 R 60 0 R]', [at.page]: page, 60: widget.replace('60 450 210 490', '50 690 450 750') } });
    },
  ],
  'field-removed': ['a field leaves the form', ({ bases }) => edit(bases.table, at.form, (text) => text.replace('24 0 R ', ''))],
  'signature-field-removed': [
    "another signer's field leaves the form",
    ({ bases }) => edit(bases.both, at.form, (text) => text.replace('31 0 R ', '')),
    { field: 'rui' },
  ],
  'widget-removed-from-the-page': [
    'a field leaves the page',
    ({ bases }) => edit(bases.table, at.page, (text) => text.replace('24 0 R ', '')),
  ],
  'field-renamed': ['another name', ({ bases }) => edit(bases.table, at.fixed, (text) => text.replace('/T(fixo)', '/T(prazo)'))],
  'field-type-changed': [
    'a text field becomes a choice',
    ({ bases }) => edit(bases.table, at.open, (text) => text.replace('/FT/Tx', '/FT/Ch')),
  ],
  'text-field-added': [
    'a new text field over the content',
    ({ bases }) =>
      shownField(
        bases.table,
        '<</Type/Annot/Subtype/Widget/FT/Tx/T(novo)/F 4/P 3 0 R/Rect[50 690 450 750]/V(Valor: 1,00)/DA(/F1 24 Tf 0 g)>>',
      ),
  ],
  'field-of-the-same-name': [
    'a new signature field under the name of a field that is there',
    ({ bases }) => shownField(bases.table, '<</Type/Annot/Subtype/Widget/FT/Sig/T(fixo)/F 4/P 3 0 R/Rect[300 300 400 350]>>'),
  ],
  'need-appearances': [
    'readers are told to draw all fields anew',
    ({ bases }) => edit(bases.table, at.form, (text) => withEntries(text, '/NeedAppearances true')),
  ],
  'xfa-added': [
    'an XFA form, which some readers show instead',
    ({ bases }) => edit(bases.table, at.form, (text) => withEntries(text, '/XFA 60 0 R'), { objects: { 60: streamText('<xdp/>') } }),
  ],
  'default-look-of-the-form': [
    "another colour in the form's default look",
    ({ bases }) => edit(bases.table, at.form, (text) => text.replace('0 Tf 0 g', '0 Tf 1 g')),
  ],
  'default-look-of-a-field': [
    'another colour in the look of a field, its value left alone',
    ({ bases }) => edit(bases.table, at.fixed, (text) => text.replace('12 Tf 0 g', '12 Tf 1 g')),
  ],
  'rich-value-only': [
    'the rich text of a field, its value left alone',
    ({ bases }) => edit(bases.table, at.fixed, (text) => withEntries(text, '/RV(<body>Prazo: 90 dias</body>)')),
  ],
  'look-characteristics-of-the-signature': [
    "a background in the attacked signature's box",
    ({ bases }) => edit(bases.table, at.ana, (text) => withEntries(text, '/MK<</BG[1 1 1]/CA(Recusado)>>')),
  ],
  'action-on-a-field': [
    'a script on a field',
    ({ bases }) => edit(bases.table, at.open, (text) => withEntries(text, `/AA<</K ${script}>>`)),
  ],
  'calculation-order': ['a calculation order', ({ bases }) => edit(bases.table, at.form, (text) => withEntries(text, '/CO[21 0 R]'))],
  'locked-field-filled': [
    'a field that the signature locks is filled',
    async ({ world }) => {
      const parameters = '/TransformParams<</Type/TransformParams/V/1.2/Action/Include/Fields[(livre)]>>';
      const entries = `/Reference[<</Type/SigRef/TransformMethod/FieldMDP${parameters}>>]`;
      return edit(await handMade(world, { signature: { entries } }), at.open, (text) => withEntries(text, '/V(depois)'));
    },
  ],
  'filled-on-closed-certification': [
    'P=1: a field is filled',
    ({ bases }) => edit(bases.certified1, at.open, (text) => withEntries(text, '/V(depois)')),
  ],
  'certification-unreadable': [
    'the certification statement is a reference in a circle, and so says nothing',
    async ({ world }) => {
      const base = await handMade(world, { signature: { entries: '/Reference[50 0 R]' }, objects: { 50: '51 0 R', 51: '50 0 R' } });
      return edit(base, at.open, (text) => withEntries(text, '/V(depois)'));
    },
  ],
  'lock-unreadable': [
    "the lock's parameters are a reference in a circle, and so lock nothing",
    async ({ world }) => {
      const entries = '/Reference[<</Type/SigRef/TransformMethod/FieldMDP/TransformParams 50 0 R>>]';
      const base = await handMade(world, { signature: { entries }, objects: { 50: '51 0 R', 51: '50 0 R' } });
      return edit(base, at.open, (text) => withEntries(text, '/V(depois)'));
    },
  ],
  'certification-loosened': [
    'the certification statement is an object of its own, and is loosened',
    async ({ world }) => {
      const entries = '/Reference[<</Type/SigRef/TransformMethod/DocMDP/TransformParams 50 0 R>>]';
      const base = await handMade(world, { signature: { entries }, objects: { 50: '<</Type/TransformParams/V/1.2/P 1>>' } });
      return edit(base, 50, (text) => text.replace('/P 1', '/P 3'), {
        objects: { [at.open]: withEntries(objectText(base, at.open), '/V(depois)') },
      });
    },
  ],
});

/** The document around the pages. */
export const structure = family('STRUCTURE', {
  'page-added': [
    'a third page',
    ({ bases }) =>
      edit(bases.table, at.pages, (text) => text.replace('9 0 R]/Count 2', '9 0 R 60 0 R]/Count 3'), { objects: { 60: pageThree } }),
  ],
  'page-removed': [
    'the second page is gone',
    ({ bases }) => edit(bases.table, at.pages, (text) => text.replace(' 9 0 R]/Count 2', ']/Count 1')),
  ],
  'pages-reordered': [
    'the pages change places',
    ({ bases }) => edit(bases.table, at.pages, (text) => text.replace('3 0 R 9 0 R', '9 0 R 3 0 R')),
  ],
  'kids-array-grows': [
    'the list of pages is an object of its own, and gets one more',
    async ({ world }) => {
      const base = await handMade(world, {
        objects: { [at.pages]: '<</Type/Pages/Kids 50 0 R/Count 2/MediaBox[0 0 595 842]>>', 50: '[3 0 R 9 0 R]' },
      });
      return revise(base, { objects: { 50: '[60 0 R 3 0 R]', 60: pageThree } });
    },
  ],
  'page-replaced': [
    'the number of the second page becomes another page',
    ({ bases }) => edit(bases.table, at.secondPage, (text) => text.replace('11 0 R', '4 0 R')),
  ],
  'page-rotated': ['a page upside down', ({ bases }) => edit(bases.table, at.page, (text) => withEntries(text, '/Rotate 180'))],
  'page-type-changed': [
    'a page becomes a template',
    ({ bases }) => edit(bases.table, at.secondPage, (text) => text.replace('/Type/Page', '/Type/Template')),
  ],
  'media-box': [
    'a smaller page cuts the price off',
    ({ bases }) => edit(bases.table, at.page, (text) => withEntries(text, '/MediaBox[0 0 595 690]')),
  ],
  'crop-box-inherited': [
    'a crop box for all pages',
    ({ bases }) => edit(bases.table, at.pages, (text) => withEntries(text, '/CropBox[0 0 595 600]')),
  ],
  'user-unit': [
    'a page that says it is ten times as large',
    ({ bases }) => edit(bases.table, at.page, (text) => withEntries(text, '/UserUnit 10')),
  ],
  'transition-action': [
    'an action when the page opens',
    ({ bases }) => edit(bases.table, at.page, (text) => withEntries(text, `/AA<</O ${script}>>`)),
  ],
  'open-action': [
    'a script when the file opens',
    ({ bases }) => edit(bases.table, at.catalog, (text) => withEntries(text, `/OpenAction ${script}`)),
  ],
  'names-with-script': [
    'a script by name',
    ({ bases }) => edit(bases.table, at.catalog, (text) => withEntries(text, `/Names<</JavaScript<</Names[(a)${script}]>>>>`)),
  ],
  'names-in-place': [
    'a list of named scripts is an object of its own, and gets one',
    async ({ world }) => {
      const catalog = withEntries(own[at.catalog] ?? '', '/Names<</JavaScript<</Names 50 0 R>>>>');
      return revise(await handMade(world, { objects: { [at.catalog]: catalog, 50: '[]' } }), { objects: { 50: `[(a)${script}]` } });
    },
  ],
  'optional-content': [
    'layers',
    ({ bases }) => edit(bases.table, at.catalog, (text) => withEntries(text, '/OCProperties<</OCGs[]/D<</BaseState/OFF>>>>')),
  ],
  'page-labels': [
    'other page numbers',
    ({ bases }) => edit(bases.table, at.catalog, (text) => withEntries(text, '/PageLabels<</Nums[0<</S/D/St 9>>]>>')),
  ],
  'usage-rights': [
    'usage rights that readers honour',
    ({ bases }) => edit(bases.table, at.catalog, (text) => withEntries(text, '/Perms<</UR3 40 0 R>>')),
  ],
  'attached-file': [
    'a file attached',
    ({ bases }) =>
      edit(bases.table, at.catalog, (text) => withEntries(text, '/AF[60 0 R]'), { objects: { 60: '<</Type/Filespec/F(a)>>' } }),
  ],
  collection: [
    'a portfolio, whose first file is shown instead',
    ({ bases }) => edit(bases.table, at.catalog, (text) => withEntries(text, '/Collection<</D(a)>>')),
  ],
  'catalog-freed': ['the catalog is freed', ({ bases }) => revise(bases.table, { rows: { [at.catalog]: 'free' } })],
  'information-becomes-a-stream': [
    'the document information becomes a stream',
    ({ bases }) => revise(bases.table, { objects: { [at.info]: streamText('x', '/Title(Outro)') } }),
  ],
  'metadata-of-a-page': [
    'a metadata stream that a page paints too',
    async ({ world }) => {
      const objects = {
        [at.metadata]: streamText('0 g', '/Type/Metadata/Subtype/XML'),
        [at.page]: (own[at.page] ?? '').replace('/Contents 4 0 R', '/Contents 8 0 R'),
      };
      return revise(await handMade(world, { objects }), {
        objects: { [at.metadata]: evilContent.replace('<<', '<</Type/Metadata/Subtype/XML') },
      });
    },
  ],
});
