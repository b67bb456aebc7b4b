import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { paragraphsOf, type TextRun } from './paragraphs.ts';

const run = (str: string, y: number, hasEOL = false): TextRun => ({
  str,
  hasEOL,
  transform: [1, 0, 0, 1, 72, y],
  height: str === '' ? 0 : 12,
});

describe('the words of a page for who listens', () => {
  it('are its paragraphs: lines follow each other, a gap begins another', () => {
    const runs = [
      run('Contrato', 700),
      run('', 700, true),
      run('Cláusula 1.', 640),
      run(' As partes', 640, true),
      run('acordam.', 626, true),
      run('Fim', 500),
    ];
    assert.deepEqual(paragraphsOf(runs), ['Contrato', 'Cláusula 1. As partes acordam.', 'Fim']);
  });

  it('begin anew where another column begins', () => {
    assert.deepEqual(paragraphsOf([run('esquerda', 100, true), run('direita', 700, true)]), ['esquerda', 'direita']);
  });

  it('are none of a picture, and end where nobody would listen any more', () => {
    assert.deepEqual(paragraphsOf([]), []);
    assert.deepEqual(paragraphsOf([run(' ', 10), run('', 10, true)]), []);
    const [long = ''] = paragraphsOf(Array.from({ length: 50_000 }, () => run('ab', 10)));
    assert.ok(long.length < 41_000 && long.endsWith('…'));
  });
});
