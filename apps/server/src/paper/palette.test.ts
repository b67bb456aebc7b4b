import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type PageGeometry, toDisplay, toUserSpace } from '@lavra/domain';
import { displayToUser, userToDisplay } from '@lavra/pades';
import fc from 'fast-check';
import { stampGround } from './model-stamp.ts';
import { darkPalette, palette } from './palette.ts';

test('paper and mails have the colours of the pages', () => {
  const tokens = readFileSync(new URL('../../../web/src/styles/tokens.css', import.meta.url), 'utf8');
  const root = tokens.slice(0, tokens.indexOf('}'));
  for (const [name, colour] of Object.entries(palette)) {
    const said = new RegExp(String.raw`--${name}: (#\w+);`).exec(root)?.[1];
    if (name !== 'white' && name !== 'mark') assert.equal(said, colour.toLowerCase(), name);
  }
  const dark = tokens.slice(tokens.indexOf("data-theme='dark'"));
  for (const [name, colour] of Object.entries(darkPalette))
    assert.equal(new RegExp(String.raw`--${name}: (#\w+);`).exec(dark)?.[1], colour.toLowerCase(), `dark ${name}`);
});

test('a stamp has the ground and the line of its preview', () => {
  const tokens = readFileSync(new URL('../../../web/src/styles/tokens.css', import.meta.url), 'utf8');
  assert.ok(tokens.includes(`--stamp-ground: rgb(255 255 255 / ${stampGround.opacity * 100}%);`));
  assert.ok(tokens.includes(`--stamp-line: ${palette.jade.toLowerCase()};`));
  assert.ok(stampGround.opacity >= 0.85 && stampGround.opacity <= 0.9);
  assert.deepEqual(
    stampGround.line
      .map((part) =>
        Math.round(part * 255)
          .toString(16)
          .padStart(2, '0'),
      )
      .join(''),
    palette.jade.slice(1).toLowerCase(),
  );
});

test('the rules of placing and the engine that draws turn a page alike', () => {
  const length = fc.integer({ min: 1, max: 900 });
  const turned = fc.constantFrom<PageGeometry['rotate']>(0, 90, 180, 270);
  fc.assert(
    fc.property(turned, length, length, length, length, (rotate, u, v, width, height) => {
      const box = [7, 11, 602, 853] as const;
      const place = toUserSpace({ u, v, width, height }, { box, rotate, userUnit: 1 });
      assert.deepEqual(displayToUser({ u, v, width, height }, { visibleBox: [...box], rotate }), place);
      assert.deepEqual(userToDisplay(place, { visibleBox: [...box], rotate }), toDisplay(place, { box, rotate, userUnit: 1 }));
    }),
  );
});
