# ncu.sh CASE: kernels of one call with their times
ONCE=1 timeout 60 ncu --clock-control none --metrics gpu__time_duration.sum,launch__registers_per_thread,launch__grid_size --csv --print-units base tsx bench/gpu/conv.ts $1 > $OUT/ncu_$1.csv 2>$OUT/ncu_$1.err
python3 - $OUT/ncu_$1.csv <<'P'
import csv,sys
rows={}
for r in csv.reader(l for l in open(sys.argv[1]) if l.startswith('"')):
    if r[0]=='ID': h=r; continue
    d=dict(zip(h,r)); rows.setdefault(int(d['ID']),{'k':d['Kernel Name'],'g':d['Grid Size'],'b':d['Block Size']})[d['Metric Name']]=d['Metric Value']
t=0
for i in sorted(rows):
    r=rows[i]; us=float(r['gpu__time_duration.sum'].replace(',',''))/1000
    if any(w in r['k'] for w in ('randn','uniform','normal','fill')): continue
    t+=us; print(f"{us:8.2f} {r['k'][:60]:60s} {r['g']} {r['b']} regs {r.get('launch__registers_per_thread')}")
print('sum',t)
P
