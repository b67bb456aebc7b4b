/**
 * The provider's window. It is opened by script and in the click itself: later a browser would take it for an
 * unwanted one, and a window that was not opened by script cannot close itself at the end.
 */
export function openProviderWindow(text: string): Window | null {
  const opened = window.open('', '_blank', 'popup,width=520,height=760');
  if (!opened) return null;
  opened.document.title = text;
  opened.document.body.textContent = text;
  return opened;
}

/** Sends it to the provider, who must not reach back into this page. False: it was blocked, or is closed already. */
export function sendToProvider(opened: Window | null, url: string): boolean {
  if (!opened || opened.closed || !/^https?:\/\//i.test(url)) return false;
  opened.opener = null;
  opened.location.replace(url);
  return true;
}
