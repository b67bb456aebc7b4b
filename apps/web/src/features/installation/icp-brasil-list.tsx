import {
  fetchIcpBrasil,
  getIcpBrasil,
  type IcpBrasilList as List,
  listInstallationCertificates,
  type LoadedAuthorities,
  uploadIcpBrasil,
} from '@lavra/api';
import { type RefObject, useRef, useState } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { uploadFile } from '../../lib/upload-file.ts';
import { useAct, useCall, useReadAnew } from '../../lib/calls.ts';
import { formatCount, formatDateTime } from '../../lib/format.ts';
import { codeText, errorText } from '../../shell/error-text.ts';
import { Notice } from '../../shell/page.tsx';
import { useInView } from '../../ui/use-in-view.ts';
import { Answer } from './answer.tsx';
import { formatDuration } from './words.ts';

/** ICP-Brasil's authorities: what is known, from where, how old; and two ways to have it anew. */
export function IcpBrasilList() {
  const { t } = useTranslation();
  const known = useCall(getIcpBrasil, {});
  const [loaded, setLoaded] = useState<LoadedAuthorities | null>(null);
  return (
    <section className="card" aria-labelledby="icp-brasil">
      <h2 id="icp-brasil">{t('certificates.icp.title')}</h2>
      <p>{t('certificates.icp.about')}</p>
      {loaded && (
        <Notice kind="success">{t('certificates.icp.loaded', { count: loaded.authorities, added: formatCount(loaded.added) })}</Notice>
      )}
      <Answer asked={known}>
        {(list) => (
          <>
            <Facts list={list} />
            <Loading hasAddress={list.address !== null} onBegin={() => setLoaded(null)} onLoaded={setLoaded} />
          </>
        )}
      </Answer>
    </section>
  );
}

function Facts({ list: { list, roots, authorities, address, configured } }: { list: List }) {
  const { t } = useTranslation();
  const age = list && formatDuration((Date.now() - Date.parse(list.checkedAt)) / 1000);
  const facts: [string, string][] = [
    ['roots', roots.length === 0 ? t('certificates.icp.none') : roots.join(', ')],
    ['authorities', t('certificates.icp.valid', { valid: formatCount(authorities.valid), ended: formatCount(authorities.ended) })],
    ['newest', formatDateTime(authorities.newest)],
    ['address', address ?? t('certificates.icp.noAddress')],
    [
      'source',
      list
        ? t(`certificates.icp.source.${list.source}`)
        : t(configured > 0 ? 'certificates.icp.source.file' : 'certificates.icp.source.none'),
    ],
    ...(list
      ? ([
          ['loadedAt', formatDateTime(list.loadedAt)],
          ['age', t('certificates.icp.ago', { age })],
          ['hash', `${list.fileHash.slice(0, 16)}…`],
        ] satisfies [string, string][])
      : []),
  ];
  return (
    <>
      {list?.fault && (
        <Notice kind="warning">
          {formatDateTime(list.faultAt)}: {codeText(list.fault, t)}
        </Notice>
      )}
      <dl className="facts">
        {facts.map(([name, value]) => (
          <div key={name} className="fact">
            <dt>{t(`certificates.icp.${name}`)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

interface LoadingProps {
  hasAddress: boolean;
  onBegin(): void;
  onLoaded(loaded: LoadedAuthorities): void;
}

function Loading({ hasAddress, onBegin, onLoaded }: LoadingProps) {
  const { t } = useTranslation();
  const readAnew = useReadAnew();
  const input = useRef<HTMLInputElement>(null);
  const [uploading, setUploading] = useState(false);
  const [refused, setRefused] = useState<unknown>(null);
  const { act, busy, failure, forget } = useAct(fetchIcpBrasil, [getIcpBrasil, listInstallationCertificates]);
  const begin = () => {
    onBegin();
    setRefused(null);
    forget();
  };
  const upload = async (file: File) => {
    begin();
    setUploading(true);
    try {
      onLoaded(await uploadFile<LoadedAuthorities>(uploadIcpBrasil, file, { idempotencyKey: crypto.randomUUID(), onProgress: () => {} }));
      await readAnew(getIcpBrasil, listInstallationCertificates);
    } catch (error) {
      setRefused(error);
    } finally {
      setUploading(false);
    }
  };
  const fetchNow = async () => {
    begin();
    const answer = await act({});
    if (answer) onLoaded(answer.reply);
    else await readAnew(getIcpBrasil);
  };
  const fault = refused ?? failure;
  const isBusy = busy || uploading;
  const foot = useInView<HTMLDivElement>(fault);
  return (
    <div ref={foot}>
      {fault !== null && <Notice kind="error">{errorText(fault, t)}</Notice>}
      <FileInput input={input} onFile={(file) => void upload(file)} />
      <div className="actions">
        <button type="button" disabled={isBusy} onClick={() => input.current?.click()}>
          {t(uploading ? 'certificates.icp.reading' : 'certificates.icp.upload')}
        </button>
        {hasAddress && (
          <button type="button" disabled={isBusy} onClick={() => void fetchNow()}>
            {t(busy ? 'certificates.icp.fetching' : 'certificates.icp.fetch')}
          </button>
        )}
      </div>
    </div>
  );
}

function FileInput({ input, onFile }: { input: RefObject<HTMLInputElement | null>; onFile(file: File): void }) {
  const { t } = useTranslation();
  return (
    <input
      ref={input}
      type="file"
      hidden
      accept=".zip,.pem,.crt,.cer"
      aria-label={t('certificates.icp.file')}
      onChange={(event) => {
        const [file] = event.target.files ?? [];
        // The same file can be chosen again.
        event.target.value = '';
        if (file) onFile(file);
      }}
    />
  );
}
