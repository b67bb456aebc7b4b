const paths = {
  document: 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6',
  chevron: 'M9 6l6 6-6 6',
  back: 'M15 6l-6 6 6 6',
  close: 'M6 6l12 12M18 6L6 18',
  menu: 'M4 7h16M4 12h16M4 17h16',
  moon: 'M20 14A8 8 0 1 1 10 4a6.5 6.5 0 0 0 10 10z',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M4 12H2M22 12h-2M5 5l1.5 1.5M17.5 17.5L19 19M19 5l-1.5 1.5M6.5 17.5L5 19',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  fit: 'M4 8V4h4M20 8V4h-4M4 16v4h4M20 16v4h-4',
  full: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5M4 4l6 6M20 4l-6 6M4 20l6-6M20 20l-6-6',
  check: 'M5 13l4 4 10-11',
  up: 'M6 15l6-6 6 6',
  down: 'M6 9l6 6 6-6',
  trash: 'M4 7h16M9 7V4h6v3M7 7l1 13h8l1-13',
  calendar: 'M4 6h16v14H4zM4 10h16M8 3v4M16 3v4',
  more: 'M5 11a1 1 0 1 0 .01 0zM12 11a1 1 0 1 0 .01 0zM19 11a1 1 0 1 0 .01 0z',
  edit: 'M4 20l4-1L19 8l-3-3L5 16zM14 7l3 3',
  eye: 'M2 12s4-7 10-7 10 7 10 7-4 7-10 7-10-7-10-7zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  shieldGood: 'M12 2l8 3v6c0 5-3.4 9-8 11-4.6-2-8-6-8-11V5zM8 12l3 3 5-6',
  shieldBad: 'M12 2l8 3v6c0 5-3.4 9-8 11-4.6-2-8-6-8-11V5zM9 9l6 6M15 9l-6 6',
  shieldOpen: 'M12 2l8 3v6c0 5-3.4 9-8 11-4.6-2-8-6-8-11V5zM12 7v6M12 16v.5',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l5 5',
  print: 'M7 9V3h10v6M7 17H4V9h16v8h-3M7 14h10v7H7z',
} as const;

/** Decorative: the control around it carries the name. */
export function Icon({ name }: { name: keyof typeof paths }) {
  return (
    <svg
      aria-hidden="true"
      className="icon"
      viewBox="0 0 24 24"
      width="22"
      height="22"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={paths[name]} />
    </svg>
  );
}

/** The brand's stroke of a pen. */
export function PenStroke() {
  return (
    <svg aria-hidden="true" className="pen-stroke" viewBox="0 0 620 180" fill="none">
      <path
        d="M2 130C40 40 90 0 98 50s-30 120 6 118c40-2 80-130 108-112s-34 108 4 108c46 0 70-130 104-112s-24 106 20 108c50 2 80-60 120-80s90 0 150 40"
        stroke="currentColor"
        strokeWidth="5"
        strokeLinecap="round"
      />
    </svg>
  );
}
