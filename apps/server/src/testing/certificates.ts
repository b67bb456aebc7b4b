import type { TrustStore } from '@lavra/pades';
import { createIcpBrasilPki, type IcpBrasilPki, keyPool, type PscWorld, startPscWorld } from '@lavra/make-believe';
import { readAllowedHost } from '../outside/allowed-target.ts';
import { startTestApp, type TestApp, type TestAppOptions, testPublicUrl } from './app.ts';
import { type TestClock, frozenClock } from './clock.ts';

/** RSA keys cost: they are made once for all worlds of this process. */
const nextKeys = keyPool();

export interface TestCertificates {
  pscWorld: PscWorld;
  pki: IcpBrasilPki;
  /** What `startTestApp` needs to believe and reach that world. */
  certificates: NonNullable<TestAppOptions['certificates']>;
}

/** A make-believe ICP-Brasil with seven providers, by the test's clock, over HTTP; the test closes `pscWorld`. */
export async function startTestCertificates(clock: TestClock, publicUrl: string = testPublicUrl): Promise<TestCertificates> {
  const now = () => clock.now();
  const pscWorld = await startPscWorld({
    now,
    redirectUris: [`${publicUrl}/callback/psc`],
    pki: (address) => createIcpBrasilPki({ now, address, createKeys: nextKeys() }),
  });
  const { pki, host, settings } = pscWorld;
  const allowed = readAllowedHost(host);
  return {
    pscWorld,
    pki,
    certificates: { icpBrasil: makeBelieveTrust(pki), pscs: settings, allowedPrivateHosts: allowed ? [allowed] : [] },
  };
}

/** The make-believe roots as anchors. */
export function makeBelieveTrust({ roots, intermediates }: IcpBrasilPki): TrustStore {
  return {
    anchors: Object.entries(roots).map(([name, certificate]) => ({
      certificate,
      name: `ICP-Brasil ${name} (faz de conta)`,
      uses: ['signature', 'timestamp'],
    })),
    intermediates,
  };
}

export interface CertificateTestApp extends TestApp, Pick<TestCertificates, 'pscWorld' | 'pki'> {}

/** `startTestApp` with a make-believe ICP-Brasil and its providers, by one clock. */
export async function startCertificateApp(options: Omit<TestAppOptions, 'certificates'> = {}): Promise<CertificateTestApp> {
  const clock = options.clock ?? frozenClock();
  const { pscWorld, pki, certificates } = await startTestCertificates(clock);
  const app = await startTestApp({ ...options, clock, certificates });
  return {
    ...app,
    pscWorld,
    pki,
    async close() {
      await app.close();
      await pscWorld.close();
    },
  };
}
