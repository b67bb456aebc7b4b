import { children, readDer } from '../asn1/der.ts';
import { dotted, textOf } from '../asn1/values.ts';
import { Recent } from './recent.ts';

const short: Record<string, string> = {
  '2.5.4.3': 'CN',
  '2.5.4.5': 'serialNumber',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '1.2.840.113549.1.9.1': 'emailAddress',
};

function attributes(name: Uint8Array): [string, string][] {
  return children(readDer(name)).flatMap((set) =>
    children(set).map((pair): [string, string] => {
      const [type, value] = children(pair);
      return [dotted(type), value === undefined ? '' : textOf(value)];
    }),
  );
}

/** The common name, else the last organisation named, else ''. */
export function commonName(name: Uint8Array): string {
  const all = attributes(name);
  return (all.findLast(([type]) => type === '2.5.4.3') ?? all.findLast(([type]) => type === '2.5.4.10'))?.[1] ?? '';
}

/** Those of authorities are told of every signature. */
const recent = new Recent<string>(400, 1024);

/** For people, most specific first: `CN=…, OU=…, O=…, C=…`. */
export function nameText(name: Uint8Array): string {
  return recent.get(name, textOfName);
}

function textOfName(name: Uint8Array): string {
  return attributes(name)
    .map(([type, value]) => `${short[type] ?? type}=${value}`)
    .toReversed()
    .join(', ');
}
