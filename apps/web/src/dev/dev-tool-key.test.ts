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
    const router = { state: { location: { pathname: '/signature' } }, navigate: (to: string | number) => went.push(to) };
    const page = new EventTarget();
    watchDevToolKey(page, router);
    page.dispatchEvent(new Key('h', false));
    page.dispatchEvent(new Key('j'));
    assert.deepEqual(went, []);
    const pressed = new Key('h');
    page.dispatchEvent(pressed);
    assert.ok(pressed.defaultPrevented, 'the browser does not open its history');
    router.state.location.pathname = '/dev/kit';
    page.dispatchEvent(new Key('H'));
    assert.deepEqual(went, ['/dev/kit', -1]);
  });
});
