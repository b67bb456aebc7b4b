export type SignerEvent =
  | { readonly event: 'listening'; readonly port: number }
  | { readonly event: 'window'; readonly url: string; readonly origin: string }
  | { readonly event: 'no-browser'; readonly url: string }
  | { readonly event: 'owners-unknown' };

/** Tells on the standard output what happens: one JSON a line, or sentences for whom started it in a terminal. */
export function announce(json: boolean): (event: SignerEvent) => void {
  return (event) => {
    process.stdout.write(`${json ? JSON.stringify(event) : sentence(event)}\n`);
  };
}

function sentence(event: SignerEvent): string {
  switch (event.event) {
    case 'listening':
      return `Lavra Signer está pronto (porta ${event.port}). Deixe-o aberto enquanto assina; Ctrl+C encerra.`;
    case 'window':
      return `${event.origin} pede uma assinatura. A janela: ${event.url}`;
    case 'owners-unknown':
      return 'Neste sistema o programa não distingue os usuários do computador: a janela pede sempre o código que a página mostra.';
    case 'no-browser':
      return `Nenhum navegador abriu. Abra você este endereço: ${event.url}`;
  }
}
