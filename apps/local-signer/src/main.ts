#!/usr/bin/env node
// LAVRA_SIGNER: waits on this computer for pages that ask for signatures, shows its own window, signs when its user says so.
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { announce } from './events.ts';
import { pkcs11Modules } from './keys/pkcs11-modules.ts';
import { openIdentity } from './identity.ts';
import { openBrowser, openingFolder, removeOldOpenings } from './open-browser.ts';
import type { Opening } from './open-browser.ts';
import { UsageError, readOptions } from './options.ts';
import type { Options } from './options.ts';
import { ApprovedSites } from './origins.ts';
import { startServer } from './server.ts';
import { systemLanguage, textsIn } from './window/texts.ts';
import { ownerCheckOf } from './socket-owner.ts';
import { Sessions } from './sessions.ts';
import type { Surroundings } from './sessions.ts';

const texts = textsIn(systemLanguage(process.env));

function optionsOrExit(): Options {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n\n${texts.terminal.usage}`);
    return process.exit(2);
  }
}

/** What cannot be read is told in its own words: a guess would be somebody else's decision. */
function orExit<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    return process.exit(1);
  }
}

const options = optionsOrExit();
if (options.help) {
  process.stdout.write(texts.terminal.usage);
  process.exit(0);
}
// A company's own authority, which the browser believes too, stands in the system's store.
setDefaultCACertificates([...new Set([...getCACertificates('default'), ...getCACertificates('system')])]);

const tell = announce(options.json, texts);
const ownerCheck = ownerCheckOf();
const folder = openingFolder(options.config);
removeOldOpenings(folder, Date.now());
const openings = new Map<string, Opening>();
let address = '';
const surroundings: Surroundings = {
  identity: orExit(() => openIdentity(options.config, texts)),
  knowsOwners: ownerCheck !== null,
  sites: orExit(() => new ApprovedSites(options.config)),
  now: Date.now,
  elapsed: () => performance.now(),
  modules: () => pkcs11Modules(options.modules, options.knownModules ? process.platform : null),
  onWindow(session) {
    const url = `${address}/window/${session.secret}`;
    tell({ event: 'window', url, origin: session.origin });
    if (options.open !== 'browser') return;
    try {
      const opening = openBrowser(url, folder);
      openings.set(session.id, opening);
      void opening.opened.then((opened) => opened || tell({ event: 'no-browser', url }));
    } catch {
      // A folder that takes no file: the address is told instead.
      tell({ event: 'no-browser', url });
    }
  },
  onClaimed(session) {
    openings.get(session.id)?.done();
    openings.delete(session.id);
  },
};
const sessions = new Sessions(surroundings);
const running = await startServer(sessions, surroundings, { ports: options.ports, ownerCheck }).catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  return process.exit(1);
});
({ address } = running);
tell({ event: 'listening', port: running.port });
if (ownerCheck === null) tell({ event: 'owners-unknown' });
const sweeper = setInterval(() => sessions.sweep(), 10_000);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    clearInterval(sweeper);
    for (const opening of openings.values()) opening.done();
    void running.close().then(() => process.exit(0));
  });
}
