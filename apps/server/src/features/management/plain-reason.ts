const MOST = 300;

/**
 * An error's message as an administrator may read it: a library may have quoted what it worked on. Addresses, ids, numbers of
 * people and whatever looks like a key are taken out; better too much than one of them.
 */
export function plainReason(message: string | null): string {
  if (message === null || message === '') return '';
  return message
    .replaceAll(/\b[a-z][a-z0-9+.-]*:\/\/\S+/gi, '<address>')
    .replaceAll(/[^\s<>"'(),;:=]+@[^\s<>"'(),;:]+/g, '<e-mail>')
    .replaceAll(/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi, '<id>')
    .replaceAll(/\b\d{3}\.?\d{3}\.?\d{3}-?\d{2}\b/g, '<number>')
    .replaceAll(/\b(?=\w*\d)[\w+/=-]{20,}/g, '<key>')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, MOST);
}
