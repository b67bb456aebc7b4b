import { useState } from 'react';
import { useTranslation } from '../../../lib/i18n.ts';
import { type System, systemOf, systems } from './system.ts';

/** What is typed as it stands, so never broken between lines. */
const command = /(npm install --global)/;

/** How to get Lavra Signer: the steps of this computer's system first, the others in reach. */
export function InstallHelp() {
  const { t } = useTranslation();
  const [system, setSystem] = useState<System>(() => systemOf(navigator.userAgent));
  return (
    <section className="install-help" aria-label={t('digital.install.title')}>
      <h3>{t('digital.install.title')}</h3>
      <label>
        <span className="legend">{t('digital.install.system')}</span>
        <select value={system} onChange={(event) => setSystem(event.target.value as System)}>
          {systems.map((one) => (
            <option key={one} value={one}>
              {t(`digital.install.${one}`)}
            </option>
          ))}
        </select>
      </label>
      <ol>
        {[1, 2, 3].map((number) => (
          <li key={number}>
            {t(`digital.install.${system}.${number}`)
              .split(command)
              .map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}
          </li>
        ))}
      </ol>
    </section>
  );
}
