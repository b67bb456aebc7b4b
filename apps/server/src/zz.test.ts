import { it } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from './testing/database.ts';
import { startTestApp } from './testing/app.ts';
it('x', async () => {
  const d=await createTestDatabase();
  const c=new pg.Client({...d.connection, database:'postgres'} as never); await c.connect();
  const q=async(s:string)=>{const t=performance.now(); const r=await c.query(s); return [Math.round(performance.now()-t), r.rows] as const};
  const tpl=(await q("select datname from pg_database"))[1]; 
  const name=tpl.map((r:any)=>r.datname).filter((n:string)=>/_template/.test(n)).at(-1); console.log(name);
  for (const f of ['on','off']) {
  await q(`alter system set fsync=${f}`); await q("select pg_reload_conf()"); await new Promise(r=>setTimeout(r,500));
  for (const s of ['wal_log','file_copy','wal_log','file_copy']) { const [ms]=await q(`create database zz_${s} template ${name} strategy ${s}`); const [m2]=await q(`drop database zz_${s} with (force)`); console.log(f,s,ms,m2); }
  }
  await q("alter system reset fsync"); await q("select pg_reload_conf()");
  for (let i=0;i<3;i++){ const t=performance.now(); const d=await startTestApp(); const a=performance.now(); await d.close(); console.log('app',Math.round(a-t),'close',Math.round(performance.now()-a)); }
  await c.end(); await d.drop();
});
