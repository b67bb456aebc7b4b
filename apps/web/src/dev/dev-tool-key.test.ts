import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { watchDevToolKey } from './dev-tool-key.ts';

class Key extends Event {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly altKey = false;
  readonly metaKey = false;
  readonly shiftKey = false;
  constructor(key: string, ctrlKey = true) {
    super('keydown', { cancelable: true });
    this.key = key;
    this.ctrlKey = ctrlKey;
  }
}

describe('ctrl-h', () => {
  it('toggles the tool of development, and no other key does', () => {
    const went: (string | number)[] = [];
    const page = { pathname: '/signature', navigate: (to: string | number) => went.push(to) };
    const browser = new EventTarget();
    const stop = watchDevToolKey(browser, page);
    browser.dispatchEvent(new Key('h', false));
    browser.dispatchEvent(new Key('j'));
    assert.deepEqual(went, []);
    const pressed = new Key('h');
    browser.dispatchEvent(pressed);
    assert.ok(pressed.defaultPrevented, 'the browser does not open its history');
    page.pathname = '/dev/kit';
    browser.dispatchEvent(new Key('H'));
    stop();
    browser.dispatchEvent(new Key('h'));
    assert.deepEqual(went, ['/dev/kit', -1]);
  });
});
