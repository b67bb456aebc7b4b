import assert from 'node:assert/strict';
import { it } from 'node:test';
import { pastedPeople } from './pasted-people.ts';

it('a pasted list is judged line by line: name; e-mail; CPF, from a spreadsheet and from a mail too', () => {
  const text = [
    'Ana Lima; ana@exemplo.com.br; 529.982.247-25',
    '',
    'Bento Sá\tBENTO@exemplo.com.br',
    'Carla Dias <carla@exemplo.com.br>',
    'Davi; davi@',
    'Elis; elis@exemplo.com.br; 529.982.247-26',
    'ana@exemplo.com.br, Outra Ana',
    '; fabio@exemplo.com.br',
    'já está; dora@exemplo.com.br',
    'Maria Aparecida Conceição Guimarães Magalhães de Sousa; maria@exemplo.com.br',
  ].join('\n');
  const judged = pastedPeople(text, ['dora@exemplo.com.br']).map((line) =>
    'person' in line ? [line.number, line.person.name, line.person.email, line.person.cpf] : [line.number, line.fault.key],
  );
  assert.deepEqual(judged, [
    [1, 'Ana Lima', 'ana@exemplo.com.br', '52998224725'],
    [3, 'Bento Sá', 'bento@exemplo.com.br', null],
    [4, 'Carla Dias', 'carla@exemplo.com.br', null],
    [5, 'signer.emailInvalid'],
    [6, 'evidence.cpfInvalid'],
    [7, 'prepare.paste.repeated'],
    [8, 'signer.nameRequired'],
    [9, 'prepare.paste.repeated'],
    // Counted, and told as what it is.
    [10, 'signer.nameTooLong'],
  ]);
});
