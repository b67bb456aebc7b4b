import { getConfigProps, getEnvironment } from '@lavra/api';
import { useTranslation } from '../../lib/i18n.ts';
import { useCall } from '../../lib/calls.ts';
import { Page } from '../../shell/page.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Answer } from './answer.tsx';
import { wordOf } from './words.ts';

/** As the server writes a value that it does not show. */
const HIDDEN = '******';

export function Component() {
  const { t } = useTranslation();
  const config = useCall(getConfigProps, {});
  const environment = useCall(getEnvironment, {});
  return (
    <Page title={t('configuration.title')}>
      <p>{t('configuration.explained')}</p>
      <Answer asked={config}>
        {({ contexts }) => (
          <div className="groups">
            {Object.values(contexts)
              .flatMap(({ beans }) => Object.entries(beans))
              .map(([name, { properties }]) => (
                <Group key={name} name={name} properties={properties} />
              ))}
          </div>
        )}
      </Answer>
      <Answer asked={environment}>
        {({ propertySources }) => (
          <Variables
            variables={propertySources.flatMap(({ properties }) =>
              Object.entries(properties).map(([name, { value }]) => ({ name, value })),
            )}
          />
        )}
      </Answer>
    </Page>
  );
}

function Group({ name, properties }: { name: string; properties: Readonly<Record<string, unknown>> }) {
  const { t } = useTranslation();
  return (
    <section className="card" aria-labelledby={`group-${name}`}>
      <h2 id={`group-${name}`}>{wordOf(t, 'configuration.group', name)}</h2>
      <dl className="facts">
        {Object.entries(properties).map(([key, value]) => (
          <div key={key} className="fact">
            <dt>
              <code>{key}</code>
            </dt>
            <dd>{textOf(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function textOf(value: unknown): string {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return '—';
  return Array.isArray(value) ? value.join(', ') : String(value);
}

function Variables({ variables }: { variables: readonly { name: string; value: string }[] }) {
  const { t } = useTranslation();
  return (
    <section className="card" aria-labelledby="variables">
      <h2 id="variables">{t('configuration.variables')}</h2>
      {variables.length === 0 ? (
        <p className="hint">{t('configuration.noVariables')}</p>
      ) : (
        <DataTable
          label={t('configuration.variables')}
          items={variables}
          keyOf={({ name }) => name}
          columns={[
            { key: 'name', label: t('configuration.variable'), heading: true, cell: ({ name }) => <code>{name}</code> },
            {
              key: 'value',
              label: t('configuration.value'),
              cell: ({ value }) => (value === HIDDEN ? <span className="hint">{t('configuration.hidden')}</span> : value),
            },
          ]}
        />
      )}
    </section>
  );
}
