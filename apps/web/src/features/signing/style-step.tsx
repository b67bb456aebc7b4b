import { useEffect, useState } from 'react';
import { DrawnStyle } from './drawn-style.tsx';
import type { SigningPlace } from './phone-drawing.tsx';
import type { SignatureImage } from './signature-image.ts';
import { StyleTabs } from './style-tabs.tsx';
import { TypedStyle } from './typed-style.tsx';
import { UploadedStyle } from './uploaded-style.tsx';
import { useStyleImages } from './use-style-images.ts';

const tabs = ['typed', 'drawn', 'uploaded'] as const;
type Tab = (typeof tabs)[number];

/** What is said when nothing was made in a way of making it. */
const missing = { typed: 'sign.styleRequired', drawn: 'sign.drawRequired', uploaded: 'evidence.imageRequired' } as const;

interface StyleStepProps {
  name: string;
  place: SigningPlace;
  /** A stable function; `missing`: the text that says what is not there yet. */
  onImage(image: SignatureImage | null, missing: string): void;
}

/** How the signature looks: typed in a script font, drawn, or a picture. Typing is the way for those who cannot draw. */
export function StyleStep({ name, place, onImage }: StyleStepProps) {
  const [tab, setTab] = useState<Tab>('typed');
  const { images, keep } = useStyleImages();
  const image = images[tab] ?? null;
  useEffect(() => onImage(image, missing[tab]), [image, tab, onImage]);
  return (
    <StyleTabs tabs={tabs} tab={tab} onTab={(next: Tab) => setTab(next)}>
      {/* All of them stay: what was made in one is there on the way back. */}
      <div hidden={tab !== 'typed'}>
        <TypedStyle name={name} onImage={keep.typed} />
      </div>
      <div hidden={tab !== 'drawn'}>
        <DrawnStyle onImage={keep.drawn} place={place} />
      </div>
      <div hidden={tab !== 'uploaded'}>
        <UploadedStyle onImage={keep.uploaded} />
      </div>
    </StyleTabs>
  );
}
