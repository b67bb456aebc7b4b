import { type DragEvent, useState } from 'react';
import type { DropSide } from './signing-order.ts';

const draggedRow = 'application/x-lavra-row';

/** Rows that are dragged: above another one, below it, or on it, which means at the same time. Buttons and a choice do the same. */
export function useRowDrag(id: string, onDropOn: (id: string, target: string, side: DropSide) => void) {
  const [side, setSide] = useState<DropSide | null>(null);
  return {
    side,
    draggable: true,
    onDragStart(event: DragEvent): void {
      event.dataTransfer.setData(draggedRow, id);
      event.dataTransfer.effectAllowed = 'move';
    },
    onDragOver(event: DragEvent): void {
      if (!event.dataTransfer.types.includes(draggedRow)) return;
      event.preventDefault();
      setSide(sideOf(event));
    },
    onDragLeave: () => setSide(null),
    onDrop(event: DragEvent): void {
      setSide(null);
      const dragged = event.dataTransfer.getData(draggedRow);
      if (dragged === '') return;
      event.preventDefault();
      onDropOn(dragged, id, sideOf(event));
    },
  };
}

function sideOf(event: DragEvent): DropSide {
  const { top, height } = event.currentTarget.getBoundingClientRect();
  const part = (event.clientY - top) / height;
  return part < 0.3 ? 'before' : part > 0.7 ? 'after' : 'with';
}
