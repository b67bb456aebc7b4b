import { type Kysely, sql } from 'kysely';

const statements = [
  // `name_key` is the name in lower case by our own rules: the database's may know ASCII alone.
  `create table signature_model (
    id uuid primary key,
    owner_id uuid not null references app_user (id),
    name text not null,
    name_key text not null,
    width double precision not null,
    height double precision not null,
    image_position text not null check (image_position in ('LEFT', 'RIGHT', 'TOP', 'BOTTOM', 'BACKGROUND', 'NONE')),
    custom_text text not null,
    text_font text not null check (text_font in ('HELVETICA', 'TIMES_ROMAN', 'COURIER')),
    text_font_size double precision not null,
    text_padding double precision not null,
    text_alignment text not null check (text_alignment in ('LEFT', 'RIGHT', 'CENTER')),
    created_at timestamptz not null,
    unique (owner_id, name_key)
  )`,
  // The model as it was when the signer was added: what was agreed does not change with the model.
  `alter table signer add column model jsonb`,
  `alter table signer add constraint signer_model foreign key (model_id) references signature_model (id) on delete set null`,
  `create index signer_model_id on signer (model_id) where model_id is not null`,
];

/** Signature models of one's own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
