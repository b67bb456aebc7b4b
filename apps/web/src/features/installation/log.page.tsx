import { changeLogger, getLoggers, type LogLevel } from '@lavra/api';
import { useEffect, useState } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { useAct, useCall } from '../../lib/calls.ts';
import { errorText } from '../../shell/error-text.ts';
import { Notice, Page } from '../../shell/page.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { showToast } from '../../ui/toasts.ts';
import { Answer } from './answer.tsx';
import { wordOf } from './words.ts';

/** The choice of no level of its own. */
const AS_GIVEN = '';

export function Component() {
  const { t } = useTranslation();
  const loggers = useCall(getLoggers, {});
  const { act, failure } = useAct(changeLogger, [getLoggers]);
  const change = async (name: string, configuredLevel: LogLevel | null) => {
    if (await act({ params: { name }, body: { configuredLevel } }))
      showToast({ text: t('log.changed', { name: wordOf(t, 'log.part', name) }) });
  };
  return (
    <Page title={t('log.title')}>
      <p>{t('log.explained')}</p>
      {failure !== null && <Notice kind="error">{errorText(failure, t)}</Notice>}
      <Answer asked={loggers}>
        {({ levels, loggers: parts }) => (
          <section className="card" aria-label={t('log.parts')}>
            <DataTable
              label={t('log.parts')}
              items={Object.entries(parts).map(([name, level]) => ({ name, ...level }))}
              keyOf={({ name }) => name}
              columns={[
                {
                  key: 'name',
                  label: t('log.part'),
                  heading: true,
                  cell: ({ name }) => (
                    <span className="told">
                      {wordOf(t, 'log.part', name)} <code>{name}</code>
                    </span>
                  ),
                },
                {
                  key: 'effective',
                  label: t('log.effective'),
                  cell: ({ effectiveLevel }) => <span className="badge">{effectiveLevel}</span>,
                },
                {
                  key: 'configured',
                  label: t('log.configured'),
                  cell: ({ name, configuredLevel }) => (
                    <LevelChoice name={name} levels={levels} value={configuredLevel} onChange={(level) => void change(name, level)} />
                  ),
                },
              ]}
            />
          </section>
        )}
      </Answer>
    </Page>
  );
}

interface LevelChoiceProps {
  name: string;
  levels: readonly LogLevel[];
  /** Null: it has none of its own. */
  value: LogLevel | null;
  onChange(level: LogLevel | null): void;
}

/** Chosen first, changed by a press: arrow keys pass by levels that nobody wants, “OFF” the first of them. */
function LevelChoice({ name, levels, value, onChange }: LevelChoiceProps) {
  const { t } = useTranslation();
  const kept = value ?? AS_GIVEN;
  const [chosen, setChosen] = useState<string>(kept);
  useEffect(() => setChosen(kept), [kept]);
  const part = wordOf(t, 'log.part', name);
  return (
    <div className="level-choice">
      <select aria-label={t('log.levelOf', { name: part })} value={chosen} onChange={(event) => setChosen(event.target.value)}>
        <option value={AS_GIVEN}>{t(name === 'ROOT' ? 'log.asStarted' : 'log.asRoot')}</option>
        {levels.map((level) => (
          <option key={level} value={level}>
            {level}
          </option>
        ))}
      </select>
      {chosen !== kept && (
        <button
          type="button"
          aria-label={t('log.changeOf', { name: part })}
          onClick={() => onChange(chosen === AS_GIVEN ? null : (chosen as LogLevel))}
        >
          {t('log.change')}
        </button>
      )}
    </div>
  );
}
