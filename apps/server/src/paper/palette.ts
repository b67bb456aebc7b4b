/** The colours of what people get from us, on paper and by mail; the pages of the web have the same as CSS tokens. */
export const palette = {
  paper: '#F8F5EE',
  white: '#FFFFFF',
  ink: '#16211F',
  muted: '#51605D',
  jade: '#0F5A54',
  /** The ground of the product's mark (`icon.svg`). */
  mark: '#0F4A46',
  line: '#D5CFC1',
  /** The head of a mail, and what is written on it. */
  deep: '#0A3635',
  cream: '#F6F2E9',
} as const;

/** The same in the dark theme, for mails: paper has none. */
export const darkPalette = {
  paper: '#111917',
  surface: '#182320',
  ink: '#EDF2EF',
  muted: '#A9B8B3',
  line: '#33423D',
  link: '#7FD0C5',
} as const;
