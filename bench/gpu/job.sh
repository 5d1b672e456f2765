export CHECK=1
timeout 58 tsx bench/gpu/conv.ts resnet18_b1_f32,resnet18_b64_f16,resnet18_b1_f16
CHECK=1 timeout 50 tsx bench/gpu/conv.ts _f16,_bf16,_b1_f32,512_s2,dw7
bash bench/gpu/ncu.sh resnet18_b64_f16 | grep -v " mul  \| to  "
