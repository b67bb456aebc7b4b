import { Button } from 'react-aria-components/Button';
import { ComboBox } from 'react-aria-components/ComboBox';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { Text } from 'react-aria-components/Text';
import { useTranslation } from '../lib/i18n.ts';
import { AriaLocale } from './aria-locale.tsx';
import { Icon } from './icons.tsx';
import './menu-list.css';

export interface ComboboxInputProps {
  label: string;
  hint?: string;
  options: readonly { readonly id: string; readonly text: string }[];
  value: string;
  onChange(id: string): void;
}

/** The field and its list. What was typed and is none of the options gives way to the one that was chosen. */
export function ComboboxInput({ label, hint, options, value, onChange }: ComboboxInputProps) {
  const { t } = useTranslation();
  return (
    <AriaLocale>
      <ComboBox
        className="field"
        defaultItems={options}
        value={value}
        onChange={(key) => key !== null && onChange(String(key))}
        allowsEmptyCollection
      >
        <Label>{label}</Label>
        <div className="combobox">
          <Input />
          <Button className="icon-button">
            <Icon name="down" />
          </Button>
        </div>
        {hint && (
          <Text slot="description" className="hint">
            {hint}
          </Text>
        )}
        <Popover className="popover">
          <ListBox className="menu-list" renderEmptyState={() => <p className="menu-empty">{t('combobox.nothing')}</p>}>
            {(option: { id: string; text: string }) => (
              <ListBoxItem id={option.id} textValue={option.text} className="menu-item">
                {option.text}
              </ListBoxItem>
            )}
          </ListBox>
        </Popover>
      </ComboBox>
    </AriaLocale>
  );
}
