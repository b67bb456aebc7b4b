const KEY = 'lavra-theme';

export type Theme = 'light' | 'dark';

/** The theme that was chosen in this browser, else its own. */
export function preferredTheme(): Theme {
  const chosen = localStorage.getItem(KEY) ?? (window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  return chosen === 'dark' ? 'dark' : 'light';
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme);
}

export function showTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
}
