import { useEffect, useState } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { Page } from '../../shell/page.tsx';
import { Field } from '../../ui/field.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { type DescribedCall, type Description, fieldsOf, roomsOf, type Schema, typeOf } from './description.ts';
import './wire.css';

const ADDRESS = '/v3/api-docs';

/** The description of the wire for people: every call by its room, with what it takes and answers. */
export function Component() {
  const { t } = useTranslation();
  const [description, setDescription] = useState<Description | null>(null);
  const [failed, setFailed] = useState(false);
  const [tries, setTries] = useState(0);
  const [words, setWords] = useState('');
  useEffect(() => {
    const ending = new AbortController();
    setFailed(false);
    fetch(ADDRESS, { signal: ending.signal })
      .then(async (answer) => setDescription((await answer.json()) as Description))
      .catch(() => ending.signal.aborted || setFailed(true));
    return () => ending.abort();
  }, [tries]);
  const rooms = description ? roomsOf(description, words) : [];
  return (
    <Page title={t('wire.title')}>
      <p className="muted">
        {t('wire.about')} <a href={ADDRESS}>OpenAPI 3.1</a>
      </p>
      {failed && <Failed text={t('wire.failed')} onRetry={() => setTries(tries + 1)} />}
      {!description && !failed && <Loading />}
      {description && (
        <>
          <Field label={t('wire.search')}>
            {({ id }) => <input id={id} type="search" value={words} onChange={({ target }) => setWords(target.value)} />}
          </Field>
          <p role="status" className="muted">
            {t('wire.found', { count: rooms.reduce((sum, [, calls]) => sum + calls.length, 0) })}
          </p>
        </>
      )}
      {rooms.map(([room, calls]) => (
        <section key={room} aria-label={room}>
          <h2>{room}</h2>
          {calls.map((call) => (
            <CallCard key={call.operationId} call={call} />
          ))}
        </section>
      ))}
    </Page>
  );
}

function CallCard({ call }: { call: DescribedCall }) {
  const { t } = useTranslation();
  const body = schemaIn(call.requestBody?.content);
  const answer = schemaIn(Object.entries(call.responses).find(([status]) => status.startsWith('2'))?.[1].content);
  return (
    <details className="card wire-call">
      <summary>
        <span className={`wire-method wire-${call.method.toLowerCase()}`}>{call.method}</span> <code>{call.path}</code>
        <span className="muted">{call.summary}</span>
      </summary>
      {call.description.split('\n\n').map((paragraph) => (
        <p key={paragraph} lang="en">
          {paragraph}
        </p>
      ))}
      <Fields
        title={t('wire.parameters')}
        fields={call.parameters.map(({ name, in: place, schema, required }) => [`${name} (${place})`, schema, required] as const)}
      />
      {body && <Fields title={t('wire.body', { type: typeOf(body) })} fields={fieldsOf(body)} />}
      {answer && <Fields title={t('wire.answer', { type: typeOf(answer) })} fields={fieldsOf(answer)} />}
    </details>
  );
}

function schemaIn(content: Readonly<Record<string, { schema: Schema }>> | undefined): Schema | null {
  return Object.values(content ?? {})[0]?.schema ?? null;
}

function Fields({ title, fields }: { title: string; fields: readonly (readonly [name: string, field: Schema, isRequired: boolean])[] }) {
  const { t } = useTranslation();
  if (fields.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <dl className="wire-fields">
        {fields.map(([name, field, isRequired], index) => (
          <div key={`${name} ${index}`}>
            <dt>
              <code>{name}</code> {isRequired && <span className="badge">{t('wire.required')}</span>}
            </dt>
            <dd>
              <code>{typeOf(field)}</code>
              {fieldsOf(field).length > 0 && (
                <span className="muted">
                  {fieldsOf(field)
                    .map(([inner]) => inner)
                    .join(', ')}
                </span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
