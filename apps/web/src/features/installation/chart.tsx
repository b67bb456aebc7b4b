import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { splitDateTime } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { hourOf, scaleOf, type Unit } from './chart-scale.ts';

export interface Line {
  label: string;
  values: readonly number[];
  /** A token's name. */
  colour: '--link' | '--brick' | '--blue' | '--amber';
}

interface Props {
  title: string;
  /** Seconds since 1970. */
  at: readonly number[];
  lines: readonly Line[];
  /** The smallest step that means something. */
  unit: Unit;
  format(value: number): string;
}

const HEIGHT = 200;

/** Lines over time. What it shows last is told in words below, and is what those read who do not see it. */
export function Chart({ title, at, lines, unit, format }: Props) {
  const { i18n } = useTranslation();
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const formatting = useRef(format);
  formatting.current = format;
  const names = lines.map(({ label, colour }) => `${label} ${colour}`).join('|');
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const draw = () => {
      plot.current?.destroy();
      plot.current = new uPlot(
        optionsOf(element, lines, unit, (value) => formatting.current(value)),
        dataOf(at, lines),
        element,
      );
    };
    draw();
    const wide = new ResizeObserver(() => plot.current?.setSize({ width: element.clientWidth, height: HEIGHT }));
    wide.observe(element);
    // The theme is an attribute: colours that were drawn do not follow it by themselves.
    const theme = new MutationObserver(draw);
    theme.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
    return () => {
      wide.disconnect();
      theme.disconnect();
      plot.current?.destroy();
      plot.current = null;
    };
    // The data come by the effect below; what is drawn anew is the language and what the lines are called.
  }, [names, i18n.language]);
  useEffect(() => plot.current?.setData(dataOf(at, lines)), [at, lines]);
  return (
    <figure className="chart">
      <figcaption>{title}</figcaption>
      <div ref={place} aria-hidden="true" />
      <ul className="plain chart-now">
        {lines.map(({ label, values, colour }) => (
          <li key={label}>
            <span className="chart-key" style={{ background: `var(${colour})` }} aria-hidden="true" /> {label}:{' '}
            <strong>{values.length === 0 ? '—' : format(values.at(-1) ?? 0)}</strong>
          </li>
        ))}
      </ul>
    </figure>
  );
}

function dataOf(at: readonly number[], lines: readonly Line[]): uPlot.AlignedData {
  return [[...at], ...lines.map(({ values }) => [...values])];
}

function optionsOf(element: HTMLElement, lines: readonly Line[], unit: Unit, format: (value: number) => string): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string) => style.getPropertyValue(name).trim();
  const axis = { stroke: token('--muted'), grid: { stroke: token('--line'), width: 1 }, ticks: { stroke: token('--line'), width: 1 } };
  return {
    width: element.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { range: (_plot, _first, last) => [...hourOf(last ?? undefined, Date.now() / 1000)] },
      y: { range: (_plot, _least, most) => [0, scaleOf(most ?? 0, unit).at(-1) ?? unit] },
    },
    axes: [
      { ...axis, values: (_plot, seconds) => seconds.map((one) => splitDateTime(new Date(one * 1000).toISOString()).time) },
      {
        ...axis,
        size: 76,
        splits: (_plot, _axis, _least, most) => [...scaleOf(most, unit)],
        values: (_plot, values) => values.map(format),
      },
    ],
    series: [
      {},
      ...lines.map(({ label, colour }) => ({
        label,
        stroke: token(colour),
        width: 2, // A program that has just begun has a point or two, and no line yet.
        points: { show: (plot: uPlot) => plot.data[0].length < 3, fill: token(colour) },
      })),
    ],
  };
}
