import type { Texts } from './window/texts.ts';

export type SignerEvent =
  | { readonly event: 'listening'; readonly port: number }
  | { readonly event: 'window'; readonly url: string; readonly origin: string }
  | { readonly event: 'no-browser'; readonly url: string }
  | { readonly event: 'owners-unknown' };

/** Tells on the standard output what happens: one JSON a line, or sentences for whom started it in a terminal. */
export function announce(json: boolean, texts: Texts): (event: SignerEvent) => void {
  return (event) => {
    process.stdout.write(`${json ? JSON.stringify(event) : sentence(event, texts.terminal)}\n`);
  };
}

function sentence(event: SignerEvent, terminal: Texts['terminal']): string {
  switch (event.event) {
    case 'listening':
      return terminal.listening(event.port);
    case 'window':
      return terminal.window(event.origin, event.url);
    case 'owners-unknown':
      return terminal.ownersUnknown;
    case 'no-browser':
      return terminal.noBrowser(event.url);
  }
}
