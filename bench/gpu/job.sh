export CHECK=1
timeout 40 tsx bench/gpu/conv.ts resnet18
timeout 55 tsx bench/gpu/conv.ts _f16,_bf16,_f32
bash bench/gpu/ncu.sh resnet18_b1_f32 | grep -v " mul  \| to  "
