#!/usr/bin/env node
// LAVRA_SIGNER: waits on this computer for pages that ask for signatures, shows its own window, signs when its user says so.
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { announce } from './events.ts';
import { pkcs11Modules } from './keys/pkcs11-modules.ts';
import { openBrowser } from './open-browser.ts';
import { UsageError, readOptions, usage } from './options.ts';
import type { Options } from './options.ts';
import { ApprovedSites } from './origins.ts';
import { startServer } from './server.ts';
import { Sessions } from './sessions.ts';
import type { Surroundings } from './sessions.ts';

function optionsOrExit(): Options {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n\n${usage}`);
    return process.exit(2);
  }
}

const options = optionsOrExit();
if (options.help) {
  process.stdout.write(usage);
  process.exit(0);
}
// A company's own authority, which the browser believes too, stands in the system's store.
setDefaultCACertificates([...new Set([...getCACertificates('default'), ...getCACertificates('system')])]);

const tell = announce(options.json);
let address = '';
const surroundings: Surroundings = {
  sites: new ApprovedSites(options.config),
  now: Date.now,
  modules: () => pkcs11Modules(options.modules, options.knownModules ? process.platform : null),
  onWindow(session) {
    const url = `${address}/window/${session.secret}`;
    tell({ event: 'window', url, origin: session.origin });
    if (options.open === 'browser') void openBrowser(url).then((opened) => opened || tell({ event: 'no-browser', url }));
  },
};
const sessions = new Sessions(surroundings);
const running = await startServer(sessions, surroundings, options.ports).catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  return process.exit(1);
});
({ address } = running);
tell({ event: 'listening', port: running.port });
const sweeper = setInterval(() => sessions.sweep(), 10_000);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    clearInterval(sweeper);
    void running.close().then(() => process.exit(0));
  });
}
