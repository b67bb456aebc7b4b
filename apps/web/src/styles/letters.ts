import '@fontsource-variable/source-sans-3/wght.css';
import '@fontsource/source-serif-4/600.css';
// A stamp's handwriting, here so that no page waits for a sheet of its own.
import '@fontsource/great-vibes/latin-400.css';
