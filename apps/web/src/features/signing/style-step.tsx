import { useState } from 'react';
import { DrawnStyle } from './drawn-style.tsx';
import type { SignatureImage } from './signature-image.ts';
import { StyleTabs } from './style-tabs.tsx';
import { TypedStyle } from './typed-style.tsx';
import { UploadedStyle } from './uploaded-style.tsx';

const tabs = ['typed', 'drawn', 'uploaded'] as const;

/** How the signature looks: typed in a script font, drawn, or a picture. Typing is the way for those who cannot draw. */
export function StyleStep({ name, onImage }: { name: string; onImage(image: SignatureImage | null): void }) {
  const [tab, setTab] = useState<(typeof tabs)[number]>('typed');
  function show(next: (typeof tabs)[number]): void {
    if (next === tab) return;
    onImage(null);
    setTab(next);
  }
  return (
    <StyleTabs tabs={tabs} tab={tab} onTab={show}>
      {tab === 'typed' && <TypedStyle name={name} onImage={onImage} />}
      {tab === 'drawn' && <DrawnStyle onImage={onImage} />}
      {tab === 'uploaded' && <UploadedStyle onImage={onImage} />}
    </StyleTabs>
  );
}
